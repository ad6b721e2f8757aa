import { decodeId, encodeId } from "@svc/protocol/typed-id";
import pg from "pg";
import type { Dice } from "../../testing/dice.ts";
import type { CliReply, TestBackend, TestTenant } from "../../testing/test-backend.ts";
import { readCells, type Snapshot } from "./workspace-cells.ts";

const people = ["Ann", "Ben", "Cho", "root"] as const;
export type Person = (typeof people)[number];

export interface Line {
  argv: string[];
  content?: string;
}

/** The people of one tenant: Ann owns the workspaces, Ben and Cho are editors; Ann and root are administrators. */
export class SharedTenant {
  readonly backend: TestBackend;
  readonly tenant: TestTenant;
  readonly admin: pg.Client;
  readonly #tokens: Record<Person, string>;
  #workspaces = 0;

  private constructor(
    backend: TestBackend,
    tenant: TestTenant,
    admin: pg.Client,
    tokens: Record<Person, string>,
  ) {
    this.backend = backend;
    this.tenant = tenant;
    this.admin = admin;
    this.#tokens = tokens;
  }

  static async settle(backend: TestBackend): Promise<SharedTenant> {
    const tenant = await backend.addTenant();
    const [ann, ben, cho] = [
      await tenant.addPerson("Ann", { isAdministrator: true }),
      await tenant.addPerson("Ben"),
      await tenant.addPerson("Cho"),
    ];
    await tenant.addPerson("Rin");
    const admin = new pg.Client({ connectionString: backend.testDatabase.adminUrl });
    await admin.connect();
    const tokens = { Ann: ann.token, Ben: ben.token, Cho: cho.token, root: tenant.token };
    return new SharedTenant(backend, tenant, admin, tokens);
  }

  async newWorkspace(): Promise<SharedWorkspace> {
    this.#workspaces += 1;
    const name = `w${this.#workspaces}`;
    const { id, slug } = await this.backend.run<{ id: string; slug: string }>(
      this.#tokens.Ann,
      `workspaces create ${name}`,
    );
    const workspace = new SharedWorkspace(this, { name, slug, id: decodeId(id, "workspace") ?? "" });
    for (const line of [
      "members add Ben --role editor",
      "members add Cho --role editor",
      "files mkdir /shared",
      "access grant /shared Ben --role owner",
      "files mkdir /board",
      "access restrict /board",
      "access grant /board Cho --role editor",
      "collections create Deals --field name:text --field size:number",
    ]) {
      const { status, body } = await workspace.type("Ann", { argv: line.split(" ") });
      if (status !== 200) throw new Error(`${line}: ${body.detail}`);
    }
    return workspace;
  }

  type(person: Person, argv: string[], content?: string): Promise<CliReply> {
    const token = this.#tokens[person];
    return content === undefined ? this.backend.type(token, argv) : this.backend.send(token, argv, content);
  }

  close(): Promise<void> {
    return this.admin.end();
  }
}

const nothing = "nothing";

/** One workspace in which a few sequences take place. */
export class SharedWorkspace {
  readonly #tenant: SharedTenant;
  readonly #names: { name: string; slug: string; id: string };

  constructor(tenant: SharedTenant, names: { name: string; slug: string; id: string }) {
    this.#tenant = tenant;
    this.#names = names;
  }

  type(person: Person, { argv, content }: Line): Promise<CliReply> {
    return this.#tenant.type(person, [...argv, "--workspace", this.#names.slug], content);
  }

  undo(person: Person, operation: string): Promise<CliReply> {
    return this.#tenant.type(person, ["operations", "undo", operation]);
  }

  read(): Promise<Snapshot> {
    const { tenant, admin } = this.#tenant;
    return readCells(admin, {
      tenantId: tenant.id,
      workspaceId: this.#names.id,
      groupPrefix: `${this.#names.name} `,
    });
  }

  /** A possible next action with the existing things. */
  line(dice: Dice, { nodes, collections, records, groups }: Snapshot): Line {
    const from = (list: readonly string[]) => dice.pick(list) ?? nothing;
    const ids = (isLive: boolean) => nodes.filter((node) => node.isLive === isLive).map(nodeId);
    const live = ids(true);
    const folder = () => from(["/", ...live.filter((id) => id.startsWith("fold_"))]);
    const node = () => from(live);
    const name = () => from(["a", "b", "c", "d", "e", "f", "g", "h.txt", "i.txt", "j.txt", "k.md"]);
    const record = (isLive: boolean) =>
      from(records.filter((found) => found.isLive === isLive).map(({ id }) => encodeId("record", id)));
    const collection = () => from(collections.map((id) => encodeId("collection", id)));
    const group = () => from(groups.map((id) => encodeId("group", id)));
    const role = () => from(["viewer", "editor", "owner"]);
    const lines: (() => Line | string[])[] = [
      // Frequent actions appear more than once.
      () => ["files", "copy", node(), folder()],
      () => ["files", "mkdir", `${from(["", "/shared", "/board"])}/${name()}`],
      () => ["files", "mkdir", `${from(["", "/shared", "/board"])}/${name()}`],
      () => ({ argv: ["files", "put", `./${name()}`, folder()], content: from(["one", "two", "three"]) }),
      () => ["files", "move", node(), folder()],
      () => ["files", "move", node(), folder()],
      () => ["files", "rename", node(), name()],
      () => ["files", "touch", node()],
      () => ["files", "delete", node()],
      () => ["files", "restore", from(ids(false)), ...(dice.throw() < 0.5 ? ["--into", folder()] : [])],
      () => [
        "access",
        "grant",
        node(),
        from(["Rin", "Cho", ...groups.map((id) => encodeId("group", id))]),
        "--role",
        role(),
      ],
      () => ["access", "revoke", node(), from(["Rin", "Cho"])],
      () => ["access", "restrict", node()],
      () => ["access", "inherit", node()],
      () => ["collections", "create", from(["Orders", "People"]), "--field", "name:text"],
      () => ["collections", "alter", collection(), "--add", `${from(["since", "until"])}:text`],
      () => ["collections", "alter", collection(), "--name", from(["Deals", "Orders", "Leads"])],
      () => ["collections", "delete", collection()],
      () => ["records", "create", collection(), "--set", `name=${name()}`],
      () => ["records", "create", collection(), "--set", "name=x", "--set", "since=today"],
      () => ["records", "update", record(true), "--set", `name=${name()}`],
      () => ["records", "update", record(true), "--set", `since=${name()}`],
      () => ["records", "delete", record(true)],
      () => ["records", "restore", record(false)],
      () => ["groups", "create", `${this.#names.name} ${from(["one", "two"])}`],
      () => ["groups", "add", group(), from(["Rin", "Ben", "Cho"])],
      () => ["groups", "remove", group(), from(["Rin", "Ben", "Cho"])],
      () => ["groups", "delete", group()],
    ];
    for (;;) {
      const made = dice.pick(lines)?.() ?? [];
      const line = Array.isArray(made) ? { argv: made } : made;
      if (!line.argv.includes(nothing)) return line;
    }
  }
}

/** Mostly somebody who can do it. */
export function pickPerson(dice: Dice, { argv: [group, command = ""] }: Line): Person {
  if (group === "groups") return dice.pick(["Ann", "root"] as const) ?? "Ann";
  const isForOwners = group === "access" || ["alter", "delete"].includes(command);
  return dice.pick(isForOwners ? (["Ann", "Ben", "root", "Cho"] as const) : people) ?? "Ann";
}

function nodeId({ kind, id }: Snapshot["nodes"][number]): string {
  return encodeId(kind, id);
}
