import { expect } from "vitest";
import type { Dice } from "../../testing/dice.ts";
import type { CliReply, TestBackend, TestTenant } from "../../testing/test-backend.ts";

interface Credential {
  person: string;
  token: string;
}

/** What a folder went through and was not taken back: its names, the present one last. None if it is in the trash. */
type Names = readonly string[];

interface Done {
  id: string;
  /** As printed: `svc undo 7k2q`. */
  end: string;
  by: Credential;
  isUndo: boolean;
  folder: Folder;
  before: Names;
  after: Names;
  undone: boolean;
}

interface Folder {
  owner: string;
  names: Names;
}

export interface Tally {
  undone: number;
  redone: number;
  refused: number;
  nothing: number;
}

/** What two people did with two tokens each, kept apart from the service, and what bare undo must therefore mean. */
export class UndoHistory {
  readonly #backend: TestBackend;
  readonly #workspace: string;
  readonly #credentials: readonly Credential[];
  readonly #done: Done[] = [];
  readonly #folders: Folder[] = [];
  #named = 0;

  private constructor(backend: TestBackend, workspace: string, credentials: readonly Credential[]) {
    this.#backend = backend;
    this.#workspace = workspace;
    this.#credentials = credentials;
  }

  static async begin(backend: TestBackend, tenant: TestTenant, workspace: string): Promise<UndoHistory> {
    await backend.run(tenant.token, ["workspaces", "create", workspace]);
    const credentials: Credential[] = [];
    for (const name of ["Ann", "Ben"]) {
      const person = `${name} of ${workspace}`.replaceAll(" ", "-");
      const { id, token } = await tenant.addPerson(person);
      credentials.push({ person, token });
      credentials.push({ person, token: await tenant.addToken(id, { name: "second" }) });
      await backend.run(tenant.token, [
        ...["members", "add", tenant.addressOf(person)],
        ...["--role", "editor", "--workspace", workspace],
      ]);
    }
    return new UndoHistory(backend, workspace, credentials);
  }

  pick(dice: Dice): Credential {
    return dice.pick(this.#credentials) as Credential;
  }

  async create(by: Credential): Promise<void> {
    const folder: Folder = { owner: by.person, names: [] };
    this.#folders.push(folder);
    const name = this.#newName();
    await this.#do(by, ["files", "mkdir", `/${name}`], folder, [name]);
  }

  async rename(by: Credential, dice: Dice): Promise<void> {
    const folder = dice.pick(
      this.#folders.filter(({ owner, names }) => owner === by.person && names.length > 0),
    );
    if (!folder) return;
    const name = this.#newName();
    await this.#do(by, ["files", "rename", `/${folder.names.at(-1)}`, name], folder, [...folder.names, name]);
  }

  /** Types `svc undo`. */
  async undoLatest(by: Credential, tally: Tally): Promise<void> {
    const latest = this.#done.findLast((done) => done.by === by && !done.isUndo && !done.undone);
    const reply = await this.#type(by, ["undo"]);
    if (!latest) {
      expect(reply.body).toMatchObject({ code: "not_found", detail: expect.stringContaining("nothing") });
      tally.nothing += 1;
    } else {
      await this.#expectUndone(by, latest, reply, tally);
    }
  }

  /** Types what an undo printed, as any of the person's credentials: it names one operation, whoever is asked. */
  async redo(by: Credential, dice: Dice, tally: Tally): Promise<void> {
    const undo = dice.pick(
      this.#done.filter((done) => done.by.person === by.person && done.isUndo && !done.undone),
    );
    if (!undo) return;
    const refused = tally.refused;
    await this.#expectUndone(by, undo, await this.#type(by, ["undo", undo.end]), tally);
    if (tally.refused === refused) tally.redone += 1;
  }

  async tryUndoOfOthers(by: Credential, dice: Dice): Promise<void> {
    const theirs = dice.pick(this.#done.filter((done) => done.by.person !== by.person));
    if (!theirs) return;
    for (const named of [theirs.end, theirs.id, theirs.id.slice(-20)]) {
      // The same four characters may also end an operation of this person.
      if (this.#done.some(({ by: { person }, id }) => person === by.person && id.endsWith(named))) continue;
      expect((await this.#type(by, ["undo", named])).body).toMatchObject({ code: "not_found" });
    }
  }

  async expectAsModelled(story: string): Promise<void> {
    const { token } = this.#credentials[0] as Credential;
    const { items } = await this.#backend.run<{ items: { name: string }[] }>(token, [
      ...["files", "list", "/", "--limit", "200", "--workspace", this.#workspace],
    ]);
    const expected = this.#folders.flatMap(({ names }) => names.at(-1) ?? []);
    expect(items.map(({ name }) => name).sort(), story).toEqual(expected.sort());
  }

  async #expectUndone(by: Credential, done: Done, reply: CliReply, tally: Tally): Promise<void> {
    const { folder, before, after } = done;
    if (String(folder.names) !== String(after)) {
      expect(reply.body).toMatchObject({ code: "conflict" });
      tally.refused += 1;
      return;
    }
    expect(reply.status, reply.body.detail).toBe(200);
    done.undone = true;
    this.#note(by, reply, { folder, before: after, after: before, isUndo: !done.isUndo });
    expect(reply.body.text).toContain(`${done.isUndo ? "Undo" : "Redo"}: svc undo `);
    tally.undone += 1;
  }

  async #do(by: Credential, line: string[], folder: Folder, after: Names): Promise<void> {
    const reply = await this.#type(by, [...line, "--workspace", this.#workspace]);
    expect(reply.status, reply.body.detail).toBe(200);
    this.#note(by, reply, { folder, before: folder.names, after, isUndo: false });
  }

  #note(
    by: Credential,
    { body }: CliReply,
    step: Pick<Done, "folder" | "before" | "after" | "isUndo">,
  ): void {
    step.folder.names = step.after;
    const [, end = ""] = /^(?:Undo|Redo): svc undo (\w+)$/m.exec(body.text ?? "") ?? [];
    expect(body.operation?.endsWith(end) && end.length >= 4, body.text).toBe(true);
    this.#done.push({ ...step, id: body.operation ?? "", end, by, undone: false });
  }

  #type({ token }: Credential, line: string[]): Promise<CliReply> {
    return this.#backend.type(token, line, { request: { want: "text" } });
  }

  #newName(): string {
    this.#named += 1;
    return `folder-${this.#named}`;
  }
}
