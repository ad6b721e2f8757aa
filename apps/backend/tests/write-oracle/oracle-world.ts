import assert from "node:assert/strict";
import type { Database } from "@svc/database/database";
import { headers } from "@svc/protocol/headers";
import { sendTree } from "@svc/testing/send-tree";
import type { TestBackend } from "../../testing/test-backend.ts";
import { takeSnapshot } from "./ledger.ts";
import type { Attempt, Operation, Refusal, Scene } from "./lines/attempt.ts";
import { newNode } from "./lines/file-writes.ts";
import { newCollection, newRow } from "./lines/record-writes.ts";
import { newWorkspace } from "./lines/workspace-writes.ts";
import { writes } from "./lines/writes.ts";
import { Model } from "./model.ts";
import { mayRun, outcomeOf } from "./permission.ts";
import { letMembersCreate, readState } from "./read-state.ts";
import { findLeak, secretsFor } from "./secrets.ts";
import { learnIds, modelLines, stateLines } from "./state-lines.ts";
import { Tally } from "./tally.ts";
import type { Collection, Group, Node, Person, Workspace } from "./things.ts";
import { uuidOf } from "./uuid-of.ts";
import type { WriteStep } from "./write-step.ts";

interface Answer {
  status: number;
  raw: string;
  body: {
    kind?: string;
    code?: string;
    detail?: string;
    hint?: string;
    committed?: boolean;
    operation?: string;
    preview?: { token: string };
    uploads?: { path: string; href: string }[];
    continuation?: string;
  };
}

/** Where a world is built: an `OracleTenant`. */
interface WorldTenant {
  backend: TestBackend;
  admin: Database;
  id: string;
  people: readonly Person[];
}

/** Two workspaces, their contents as the model knows them, and everything typed so far. */
export class OracleWorld {
  readonly tally = new Tally();
  readonly story: string[] = [];
  readonly #tenant: WorldTenant;
  readonly #model: Model;
  readonly #tag: string;
  readonly #operations: Operation[] = [];
  #since = "";
  #names = 0;

  private constructor(tenant: WorldTenant, groups: Group[], tag: string) {
    this.#tenant = tenant;
    this.#model = new Model(tenant.people, groups);
    this.#tag = tag;
  }

  static async build(tenant: WorldTenant, groups: Group[], tag: string): Promise<OracleWorld> {
    const world = new OracleWorld(tenant, groups, tag);
    await world.#settle();
    return world;
  }

  async take(step: WriteStep): Promise<void> {
    const { command, mode, inSession, wantsText } = step;
    const chosen = this.#choose(step);
    if (!chosen) return;
    const { who, attempt } = chosen;

    const outcome = outcomeOf(who, command, mode);
    const refusal: Refusal =
      mayRun(who, command) ??
      (outcome === "refuse" ? ["confirmation_required"] : attempt.refusal) ??
      (outcome === "ask" ? ["approval_pending", "too_many_requests"] : undefined);
    const secrets = secretsFor(this.#model, who, this.#operations);
    const call = { who, attempt, inSession, wantsText };
    this.story.push(
      `${who.name}${inSession ? " in a session" : ""}: ${attempt.words.join(" ")} (${mode}): ` +
        (refusal ? refusal.join(" or ") : outcome),
    );

    const answers = mode === "by token" ? await this.#byToken(call) : [await this.#type(call, flags[mode])];
    const last = answers.at(-1) as Answer;
    this.#compareAnswer(last, refusal, outcome);
    if (refusal && attempt.otherContent !== undefined) {
      const { otherContent: content } = attempt;
      const other = await this.#type({ ...call, attempt: { ...attempt, content } }, flags["dry-run"]);
      const shown = await this.#type(call, flags["dry-run"]);
      assert.deepEqual(
        withoutRequest(other),
        withoutRequest(shown),
        "a guess of hidden content is confirmed",
      );
      answers.push(other, shown);
    }
    const typed = [...typedWords(attempt), ...(refusal ? [] : (attempt.knows ?? []))];
    for (const { raw } of answers) assert.equal(findLeak(raw, secrets, typed), undefined, raw);

    const isCommitted = !refusal && outcome === "commit";
    if (isCommitted) this.#apply(who, command, attempt, last);
    this.tally.count(command, refusal ? "refused" : isCommitted ? "committed" : "previewed");
    await this.#compareState();
  }

  #apply(actor: Person, command: string, attempt: Attempt, { body }: Answer): void {
    const before = takeSnapshot(this.#model);
    const undoing = attempt.apply();
    this.#model.ledger.note(this.#model, before, actor.name);
    if (!undoing) return;
    assert.ok(body.operation, "an undoable command says how");
    this.#operations.push({
      id: body.operation,
      // Undo of an undo needs what the first command needs.
      command: attempt.undoes?.command ?? command,
      actor,
      knows: [...typedWords(attempt), ...(attempt.knows ?? [])],
      undoing,
      isUndone: false,
      at: this.#model.ledger.now,
    });
  }

  #compareAnswer({ status, body, raw }: Answer, refusal: Refusal, outcome: string): void {
    if (!refusal) {
      assert.equal(status, 200, `must succeed: ${raw}`);
      assert.equal(body.committed, outcome === "commit", raw);
      return;
    }
    assert.ok(refusal.includes(body.code as never), `must be refused as ${refusal.join(" or ")}: ${raw}`);
  }

  async #compareState(): Promise<void> {
    const uuids = (ids: readonly { id: string }[]) => ids.map(({ id }) => uuidOf(id) ?? "");
    const rows = await readState(this.#tenant.admin, this.#tenant.id, {
      since: this.#since,
      people: uuids(this.#model.people),
      groups: uuids(this.#model.groups.filter(({ id }) => id !== "")),
    });
    learnIds(this.#model, rows);
    assert.deepEqual(
      stateLines(rows, this.#since),
      modelLines(this.#model),
      "the tables differ from the model",
    );
  }

  async #byToken(call: Call): Promise<Answer[]> {
    // AI members get a preview without asking for one.
    const shown = await this.#type(call, call.who.kind === "ai" ? [] : flags["dry-run"]);
    const { preview } = shown.body;
    if (!preview) return [shown];
    return [shown, await this.#type(call, ["--confirm", preview.token])];
  }

  /** Like a client: if the server asks for a local file, sends it and repeats the line. */
  async #type({ who, attempt, inSession, wantsText }: Call, more: readonly string[]): Promise<Answer> {
    const { words, workspace, content } = attempt;
    const argv = [...words, ...(workspace ? ["--workspace", workspace.id] : []), ...more];
    const request = { argv, want: wantsText ? "text" : "data" };
    if (content !== undefined && typeof content !== "string") {
      return sendTree<Answer>(content, {
        type: (parts) => this.#post(who, { ...request, ...parts }, inSession),
        post: (url, payload, mediaType) => this.#sendPart(who, url, payload, mediaType),
      });
    }
    const asked = await this.#post(who, request, inSession);
    const { uploads, continuation } = asked.body;
    const upload = uploads?.[0];
    if (content === undefined || !upload) return asked;
    const contents = [{ path: upload.path, base64: Buffer.from(content).toString("base64") }];
    return this.#post(who, { ...request, continuation, contents }, inSession);
  }

  async #sendPart(
    { token }: Person,
    url: string,
    payload: string | Buffer,
    mediaType: string,
  ): Promise<string> {
    const headers = { authorization: `Bearer ${token}`, "content-type": mediaType };
    const sent = await this.#tenant.backend.server.inject({ method: "POST", url, headers, payload });
    assert.ok(sent.statusCode <= 204, sent.body);
    return sent.body;
  }

  async #post({ token }: Person, payload: object, inSession: boolean): Promise<Answer> {
    const answer = await this.#tenant.backend.server.inject({
      method: "POST",
      url: "/api/v1/cli",
      headers: {
        authorization: `Bearer ${token}`,
        ...(inSession ? { [headers.sessionTicket]: "a session" } : {}),
      },
      payload,
    });
    return { status: answer.statusCode, raw: answer.body, body: answer.json() };
  }

  /** A caller with a session ticket counts as an AI member at work. */
  #actor({ inSession }: WriteStep, pick: number): Person {
    const { people } = this.#model;
    const person = people[pick % people.length] as Person;
    return inSession ? { ...person, kind: "ai" } : person;
  }

  /**
   * The first person who fits, starting where the step says: of people chosen at random, few have the right, and fewer
   * almost have it.
   */
  #choose(step: WriteStep): Choice | undefined {
    if (step.by === "allowed") {
      const may = ({ who, attempt }: Choice) => !attempt.refusal && !mayRun(who, step.command);
      const found = this.#candidates(step).find(may);
      if (found) return found;
    }
    if (step.by === "insider") {
      const insiders = Array.from({ length: 8 }, (_, shift) => {
        const [first, second, third] = step.picks;
        const picks: WriteStep["picks"] = [first + 7 * shift, second + 11 * shift, third + 13 * shift];
        return this.#candidates({ ...step, picks }).filter((one) => this.#isInsider(step.command, one));
      }).flat();
      const found = insiders.find(({ attempt }) => attempt.isNearMiss) ?? insiders[0];
      if (found) return found;
    }
    return this.#candidates(step)[0];
  }

  #candidates(step: WriteStep): Choice[] {
    const write = writes[step.command];
    if (!write) throw new Error(`the model does not know ${step.command}`);
    return this.#model.people.flatMap((_, index) => {
      const who = this.#actor(step, step.who + index);
      const attempt = write(this.#scene(who, step));
      return attempt && !attempt.isUnsettled ? [{ who, attempt }] : [];
    });
  }

  /** Can see it but not do this, or can change the workspace but not this. */
  #isInsider(command: string, { who, attempt: { workspace, refusal } }: Choice): boolean {
    if (!refusal || who.isAdministrator || mayRun(who, command)) return false;
    const within = workspace ?? this.#model.workspaces[0];
    return refusal.includes("not_permitted") || (!!within && this.#model.can(who, within, "editor"));
  }

  #scene(who: Person, { picks }: WriteStep): Scene {
    return {
      model: this.#model,
      who,
      picks,
      operations: this.#operations,
      name: (choice) => this.#name(choice),
      content: (choice) => this.#content(choice),
      newName: () => `fresh${this.#tag}n${this.#names++}`,
    };
  }

  #name(choice: number): string {
    return `${trees[choice % trees.length]}${this.#tag}`;
  }

  #content(choice: number): string {
    return `content${choice % 4}${this.#tag}`;
  }

  /** A workspace of owen's with folders, files and a collection, and one of edda's with a file. */
  async #settle(): Promise<void> {
    const [, owen, edda] = this.#tenant.people as [Person, Person, Person];
    const [, outer, crew] = this.#model.groups as [Group, Group, Group];
    const [a, b, c, d] = [0, 1, 2, 3].map((choice) => this.#name(choice)) as [string, string, string, string];
    const { ledger } = this.#model;
    const nothing = takeSnapshot(this.#model);
    const home = newWorkspace(`home-${this.#tag}`, owen);
    const side = newWorkspace(`side-${this.#tag}`, edda);
    this.#model.workspaces.push(home, side);
    home.id = await this.#createWorkspace(owen, home);
    this.#since = uuidOf(home.id) ?? "";
    side.id = await this.#createWorkspace(edda, side);
    await letMembersCreate(this.#tenant.admin, this.#tenant.id);

    await this.#run(owen, ["members", "add", crew.id, "--role", "editor"], home);
    await this.#run(owen, ["members", "add", outer.id, "--role", "viewer"], home);
    home.entries.set(crew.name, "editor").set(outer.name, "viewer");

    const files = { [b]: this.#content(0), [`${c}/${d}`]: this.#content(1), [`${c}/${b}`]: this.#content(2) };
    await this.#run(owen, ["files", "put", `./${a}`, "/"], home, files);
    const top = newNode("folder", a, home);
    const deep = newNode("folder", c, top);
    const file = (name: string, above: Node | Workspace, choice: number): Node => ({
      ...newNode("file", name, above),
      versions: [this.#content(choice)],
    });
    home.nodes.push(top, file(b, top, 0), deep, file(d, deep, 1), file(b, deep, 2));
    await this.#run(edda, ["files", "put", `./${a}`, "/"], side, this.#content(3));

    const collection = newCollection(home, d, ["title", "note"]);
    const [title, note] = collection.fields as [Field, Field];
    await this.#run(
      owen,
      ["collections", "create", d, "--field", "title:text", "--field", "note:text"],
      home,
    );
    const rows = [0, 1].map((choice) => [this.#content(choice), this.#content(choice + 1)] as const);
    const csv = `title,note\n${rows.map((cells) => cells.join(",")).join("\n")}\n`;
    await this.#run(owen, ["records", "import", d, "./rows.csv"], home, csv);
    for (const [one, other] of rows) {
      const values = new Map([
        [title.key, one],
        [note.key, other],
      ]);
      collection.records.push(newRow(collection, values));
    }
    home.collections.push(collection);
    ledger.note(this.#model, nothing, owen.name);
    const withoutSide = takeSnapshot(this.#model);
    side.nodes.push(file(a, side, 3));
    ledger.note(this.#model, withoutSide, edda.name);
    await this.#compareState();
  }

  async #createWorkspace(owner: Person, { name }: Workspace): Promise<string> {
    const { raw } = await this.#run(owner, ["workspaces", "create", name]);
    return (JSON.parse(raw) as { data: { id: string } }).data.id;
  }

  async #run(
    who: Person,
    words: string[],
    workspace?: Workspace,
    content?: Attempt["content"],
  ): Promise<Answer> {
    const attempt: Attempt = {
      words,
      workspace,
      refusal: undefined,
      apply: () => undefined,
      ...(content === undefined ? {} : { content }),
    };
    const answer = await this.#type({ who, attempt, inSession: false, wantsText: false }, []);
    assert.equal(answer.status, 200, `${words.join(" ")}: ${answer.raw}`);
    return answer;
  }
}

type Field = Collection["fields"][number];

interface Choice {
  who: Person;
  attempt: Attempt;
}

interface Call {
  who: Person;
  attempt: Attempt;
  inSession: boolean;
  wantsText: boolean;
}

const trees = ["aspen", "birch", "cedar", "elder", "hazel"];

const flags = { plain: [], "dry-run": ["--dry-run"], confirmed: ["--confirm", "true"] } as const;

function typedWords({ words, workspace, content, otherContent, recalls = [] }: Attempt): string[] {
  const contents = [content, otherContent].flatMap((one) =>
    typeof one === "object" ? [...Object.keys(one), ...Object.values(one)] : (one ?? []),
  );
  // A file may be a single value of a record, because rows of an import are typed one by one.
  return [
    ...words,
    workspace?.id ?? "",
    ...contents,
    ...contents.flatMap((one) => one.split("\n")),
    ...recalls,
  ];
}

function withoutRequest({ status, body: { code, detail, hint } }: Answer) {
  return { status, code, detail, hint };
}
