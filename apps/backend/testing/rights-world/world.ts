import assert from "node:assert/strict";
import { encodeId } from "@svc/protocol/typed-id";
import type { TestBackend, TestTenant } from "../test-backend.ts";
import { type Expectation, expectStep } from "./world-expectation.ts";
import {
  type Folder,
  type Grantee,
  type Group,
  type Person,
  pathOf,
  people,
  type Session,
  sessions,
  WorldModel,
} from "./world-model.ts";
import type { Step } from "./world-step.ts";

/** A tenant with its people and groups; each world is one of its workspaces. */
export class WorldTenant {
  readonly backend: TestBackend;
  readonly groups: Record<Group, Set<Grantee>> = { inner: new Set(), outer: new Set() };
  readonly #tenant: TestTenant;
  readonly #tokens: Record<Person, string>;
  #worlds = 0;

  readonly #ids: ReadonlyMap<string, string>;

  private constructor(
    backend: TestBackend,
    tenant: TestTenant,
    tokens: Record<Person, string>,
    ids: ReadonlyMap<string, string>,
  ) {
    this.backend = backend;
    this.#tenant = tenant;
    this.#tokens = tokens;
    this.#ids = ids;
  }

  static async build(backend: TestBackend): Promise<WorldTenant> {
    const tenant: TestTenant = await backend.addTenant();
    const tokens: Partial<Record<Person, string>> = { root: tenant.token };
    const ids = new Map<string, string>();
    for (const person of people) {
      if (person === "root" || isSession(person)) continue;
      const kind = person === "bot" ? "ai" : "user";
      const { id, token } = await tenant.addPerson(person, { kind });
      tokens[person] = token;
      ids.set(person, encodeId(kind, id));
    }
    for (const session of sessions) tokens[session] = await openSession(backend, tenant, tokens, session);
    for (const group of ["inner", "outer"]) {
      ids.set(group, (await backend.run<{ id: string }>(tenant.token, `groups create ${group}`)).id);
    }
    return new WorldTenant(backend, tenant, tokens as Record<Person, string>, ids);
  }

  async newWorld(): Promise<World> {
    this.#worlds += 1;
    const name = `World ${this.#worlds}`;
    const line = ["workspaces", "create", name];
    const { id } = await this.backend.run<{ id: string }>(this.#tokens.owner, line);
    return new World(this, id);
  }

  get id(): string {
    return this.#tenant.id;
  }

  /** Somebody without any rights; returns their token. */
  async addStranger(): Promise<string> {
    return (await this.#tenant.addPerson("stranger")).token;
  }

  /** How people who share nothing with them yet name them. */
  idOf(grantee: string): string {
    return this.#ids.get(grantee) ?? grantee;
  }

  token(person: Person): string {
    return this.#tokens[person];
  }

  type(person: Person, words: string[], content?: string) {
    const token = this.#tokens[person];
    return content === undefined ? this.backend.type(token, words) : this.backend.send(token, words, content);
  }
}

const inSession = new Set<Step["does"]>(["mkdir", "move", "rename", "copy", "delete", "restore"]);

function isSession(person: Person): person is Session {
  return person.startsWith("bot for ");
}

/** In a workspace that they share for a moment, because people open sessions of AI members whom they know. */
async function openSession(
  backend: TestBackend,
  tenant: TestTenant,
  tokens: Partial<Record<Person, string>>,
  session: Session,
): Promise<string> {
  const person = session.slice("bot for ".length) as "root" | "owner" | "ann";
  const { id } = await backend.run<{ id: string }>(tenant.token, ["workspaces", "create", session]);
  for (const member of ["bot", person].filter((one) => one !== "root"))
    await backend.run(tenant.token, ["members", "add", member, "--role", "viewer", "--workspace", id]);
  const { token, ticket } = await backend.run<{ token: string; ticket: string }>(
    tokens[person] ?? "",
    "sessions open bot",
  );
  await backend.run(tenant.token, ["workspaces", "delete", id]);
  return `${token} ${ticket}`;
}

interface Operation {
  id: string;
  before: Folder;
  groups: Record<Group, Grantee[]>;
}

export class World {
  readonly model: WorldModel;
  readonly counts = { succeeded: 0, refused: 0, compared: 0 };
  readonly id: string;
  readonly #tenant: WorldTenant;
  #last: Operation | undefined;

  constructor(tenant: WorldTenant, id: string) {
    this.#tenant = tenant;
    this.id = id;
    this.model = new WorldModel(tenant.groups);
  }

  async take(step: Step): Promise<void> {
    if (step.does === "undo") return this.#undo();
    // Sent files need a second call with the token, and a person would have to approve the others.
    if ("who" in step && isSession(step.who) && !inSession.has(step.does)) return;
    const expected = expectStep(this.model, step);
    if (!expected) return;
    const who = step.does === "join" || step.does === "leave" ? "root" : step.who;
    const before = this.model.snapshot();
    const groups = copyGroups(this.#tenant.groups);
    const { status, body } = await this.#commit(who, expected);
    assert.equal(
      status === 200,
      expected.succeeds,
      `${who}: ${expected.line.join(" ")}: ${status} ${body.detail}`,
    );
    if (status !== 200) {
      this.counts.refused += 1;
      return;
    }
    this.counts.succeeded += 1;
    expected.apply((body.data as { id?: string }).id);
    this.#last = body.operation === undefined ? undefined : { id: body.operation, before, groups };
  }

  /** An AI member repeats its line with the token of the preview. */
  async #commit(who: Person, { line, content }: Pick<Expectation, "line" | "content">) {
    const reply = await this.type(who, line, content);
    const token = reply.body.preview?.token;
    return isSession(who) && token !== undefined ? this.type(who, [...line, "--confirm", token]) : reply;
  }

  /** The administrator undoes the last operation, whoever did it: everything is as before. */
  async #undo(): Promise<void> {
    if (!this.#last) return;
    const { id, before, groups } = this.#last;
    this.#last = undefined;
    const { status, body } = await this.#tenant.type("root", ["operations", "undo", id]);
    assert.equal(status, 200, `undo: ${body.detail}`);
    // New things are in the trash now, where only the trash list shows them.
    const made = this.model.nodes({ trashed: true }).filter(({ key }) => !hasKey(before, key));
    this.model.top = before;
    for (const node of made.filter(({ parent }) => parent && hasKey(before, parent.key))) {
      const parent = findKey(before, node.parent?.key ?? "");
      if (!parent) continue;
      node.parent = parent;
      node.isTrashed = true;
      parent.children.push(node);
    }
    for (const group of ["inner", "outer"] as const) {
      this.#tenant.groups[group].clear();
      for (const member of groups[group]) this.#tenant.groups[group].add(member);
    }
  }

  type(person: Person, line: string[], content?: string) {
    const isEntry = line[0] === "access" && (line[1] === "grant" || line[1] === "revoke");
    const named = isEntry ? line.with(3, this.#tenant.idOf(line[3] ?? "")) : line;
    const words = line[0] === "groups" ? line : [...named, "--workspace", this.id];
    return this.#tenant.type(person, words, content);
  }

  /** Compares every read command, as one person, with what they should see. */
  async compare(person: Person, choice: number): Promise<void> {
    const { model } = this;
    const every = model.nodes({ trashed: true });
    const seen = model.nodes().filter((node) => model.sees(person, node));
    const inWorkspace = model.seesWorkspace(person);

    await this.#expect(person, ["files", "tree", "/", "--depth", "50"], inWorkspace, (data) => {
      const { nodes } = data as { nodes: { path: string; kind: string }[] };
      same(
        nodes.map(({ path, kind }) => `${kind} ${path}`),
        seen.map((node) => `${node.kind} ${pathOf(node)}`),
      );
    });
    await this.#expect(person, ["workspaces", "get", this.id], inWorkspace, () => {});
    await this.#expect(person, ["trash", "list", "-n", "200"], inWorkspace, (data) => {
      const { items } = data as { items: { name: string; kind: string }[] };
      const shown = model.trashed().filter((node) => model.role(person, node) !== undefined);
      same(
        items.map(({ name, kind }) => `${kind} ${name}`),
        shown.map(({ name, kind }) => `${kind} ${name}`),
      );
    });

    const folder = model.folders()[choice % model.folders().length] as Folder;
    await this.#expect(
      person,
      ["files", "list", pathOf(folder), "-n", "200"],
      model.sees(person, folder),
      (data) => {
        const { items } = data as { items: { name: string }[] };
        same(
          items.map(({ name }) => name),
          folder.children.filter((child) => model.sees(person, child)).map(({ name }) => name),
        );
      },
    );
    await this.#compareBelow(person, folder);
    for (const node of [every[choice % every.length], every[(choice * 7 + 3) % every.length]]) {
      if (node) await this.#compareNode(person, node);
    }
  }

  /** What is found and counted below a folder. */
  async #compareBelow(person: Person, folder: Folder): Promise<void> {
    const { model } = this;
    const sees = model.sees(person, folder);
    const below = model.nodes().filter((node) => isBelow(node, folder) && model.sees(person, node));
    const words = [pathOf(folder), "-n", "200"];
    for (const line of [
      ["files", "find", ...words],
      ["files", "list", ...words, "--recursive"],
    ]) {
      await this.#expect(person, line, sees, (data) => {
        const { items } = data as { items: { path: string; kind: string }[] };
        same(
          items.map(({ path, kind }) => `${kind} ${path}`),
          below.map((node) => `${node.kind} ${pathOf(node)}`),
        );
      });
    }
    await this.#expect(person, ["files", "du", ...words, "--depth", "50"], sees, (data) => {
      const { items } = data as { items: { path: string; files: number; size: number }[] };
      const folders = [...below.filter(({ kind }) => kind === "folder"), folder];
      same(
        items.map(({ path, files, size }) => `${path} ${files} ${size}`),
        folders.map((measured) => {
          const files = below.filter((node) => node.kind === "file" && isBelow(node, measured));
          const bytes = files.reduce(
            (sum, { contents }) => sum + Buffer.byteLength(contents.at(-1) ?? ""),
            0,
          );
          return `${pathOf(measured)} ${files.length} ${bytes}`;
        }),
      );
    });
  }

  async #compareNode(person: Person, node: Folder): Promise<void> {
    const { model } = this;
    const sees = model.sees(person, node);
    const role = model.role(person, node);
    // By id if it is known: trashed nodes have no path, and contents of a hidden folder are requested directly.
    const target = node.id ?? (sees ? pathOf(node) : undefined);
    if (target === undefined) return;
    await this.#expect(person, ["files", "stat", target], sees, (data) => {
      const stat = data as { role: string; path: string };
      assert.equal(stat.role, role ?? "passes through");
      assert.equal(stat.path, pathOf(node));
    });
    await this.#expect(person, ["access", "check", target], sees && role !== undefined, (data) => {
      const check = data as { role?: string; reasons: { role: string }[] };
      assert.equal(check.role, role);
      // What gives a session its role may be in a list that only one of the two can read.
      const isUnread = person.includes(" for ") && check.reasons.length === 0;
      if (!isUnread) assert.equal(check.reasons[0]?.role, role, "the first reason gives the role");
    });
    await this.#expect(person, ["access", "show", target], sees && role !== undefined, (data) => {
      const { items } = data as { items: { person: string; role: string }[] };
      same(
        items.map(
          (item) => `${item.person === "everyone in the workspace" ? "everyone" : item.person} ${item.role}`,
        ),
        model.entriesFor(person, node),
      );
    });
    if (node.kind === "folder") return;
    await this.#expect(person, ["files", "cat", target], sees, (data) => {
      assert.equal((data as { text: string }).text, node.contents.at(-1));
    });
    await this.#expect(person, ["files", "versions", target], sees, (data) => {
      assert.equal((data as { items: object[] }).items.length, node.contents.length);
    });
    await this.#expect(person, ["files", "get", target], sees, () => {});
  }

  async #expect(
    person: Person,
    line: string[],
    isShown: boolean,
    look: (data: unknown) => void,
  ): Promise<void> {
    this.counts.compared += 1;
    const { status, body } = await this.type(person, line);
    const label = `${person}: ${line.join(" ")}`;
    assert.equal(status === 200, isShown, `${label}: ${status} ${body.detail ?? ""}`);
    try {
      if (isShown) look(body.data);
    } catch (error) {
      throw new Error(`${label}: ${(error as Error).message}`, { cause: error });
    }
  }
}

function same(shown: string[], expected: string[]): void {
  assert.deepEqual(shown.sort(), expected.sort());
}

function isBelow({ parent }: Folder, folder: Folder): boolean {
  return parent !== undefined && (parent === folder || isBelow(parent, folder));
}

function copyGroups(groups: Record<Group, Set<Grantee>>): Record<Group, Grantee[]> {
  return { inner: [...groups.inner], outer: [...groups.outer] };
}

function findKey(node: Folder, key: string): Folder | undefined {
  if (node.key === key) return node;
  for (const child of node.children) {
    const found = findKey(child, key);
    if (found) return found;
  }
  return undefined;
}

function hasKey(node: Folder, key: string): boolean {
  return findKey(node, key) !== undefined;
}
