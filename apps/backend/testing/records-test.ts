import { decodeId } from "@svc/protocol/typed-id";
import { test as backendTest } from "./backend-test.ts";
import type { CliReply, TestBackend, TestTenant } from "./test-backend.ts";

type Who = "owner" | "editor" | "viewer" | "stranger" | "foreigner";

/** A workspace for tests of records, with a person in each role, a non-member, and another tenant. */
export class RecordsTown {
  readonly backend: TestBackend;
  readonly tenant: TestTenant;
  readonly tokens: Record<Who, string>;
  readonly people: Record<Exclude<Who, "foreigner">, string>;
  #collections = 0;

  static async open(backend: TestBackend, tenant: TestTenant): Promise<RecordsTown> {
    const [owner, editor, viewer, stranger] = await Promise.all(
      ["Olga", "Edo", "Vic", "Stranger"].map((name) => tenant.addPerson(name)),
    );
    if (!owner || !editor || !viewer || !stranger) throw new Error("nobody came");
    const foreigner = await backend.addTenant();
    await backend.run(foreigner.token, "workspaces create Sales");
    await backend.run(owner.token, "workspaces create Sales");
    for (const [name, role] of [
      ["Edo", "editor"],
      ["Vic", "viewer"],
    ] as const) {
      const line = `members add ${tenant.addressOf(name)} --role ${role} --workspace sales`;
      await backend.run(owner.token, line);
    }
    return new RecordsTown(
      backend,
      tenant,
      {
        owner: owner.token,
        editor: editor.token,
        viewer: viewer.token,
        stranger: stranger.token,
        foreigner: foreigner.token,
      },
      { owner: owner.id, editor: editor.id, viewer: viewer.id, stranger: stranger.id },
    );
  }

  private constructor(
    backend: TestBackend,
    tenant: TestTenant,
    tokens: RecordsTown["tokens"],
    people: RecordsTown["people"],
  ) {
    this.backend = backend;
    this.tenant = tenant;
    this.tokens = tokens;
    this.people = people;
  }

  type(who: Who, line: string | string[]): Promise<CliReply> {
    return this.backend.type(this.tokens[who], this.#words(line));
  }

  // biome-ignore lint/suspicious/noExplicitAny: the test decides the type of an answer
  async run<Data = any>(who: Who, line: string | string[]): Promise<Data> {
    return this.backend.run<Data>(this.tokens[who], this.#words(line));
  }

  send(who: Who, line: string | string[], content: string | Buffer): Promise<CliReply> {
    return this.backend.send(this.tokens[who], this.#words(line), content);
  }

  async undo(who: Who, { body }: CliReply): Promise<CliReply> {
    return this.backend.type(this.tokens[who], `operations undo ${body.operation}`);
  }

  /** A new collection with a unique name; returns its slug and id. */
  async addCollection(...fields: string[]): Promise<{ slug: string; id: string }> {
    this.#collections += 1;
    const typed = fields.flatMap((field) => ["--field", field]);
    return this.run("owner", ["collections", "create", `Collection ${this.#collections}`, ...typed]);
  }

  async addRecord(collection: string, ...values: string[]): Promise<string> {
    const typed = values.flatMap((value) => ["--set", value]);
    const { id } = await this.run<{ id: string }>("owner", ["records", "create", collection, ...typed]);
    return id;
  }

  /**
   * Gives the collection its own access list with nobody else on it: besides them, only owners of the workspace keep
   * access.
   */
  async restrict(
    id: string,
    entries: Partial<Record<keyof RecordsTown["people"], string>> = {},
  ): Promise<void> {
    const uuid = decodeId(id, "collection") ?? "";
    const scope = { tenantId: this.tenant.id, actorId: this.people.owner };
    await this.backend.database.withTenant(scope, "write", async ({ db, tenantId }) => {
      const { workspace_id } = await db
        .selectFrom("app.collection")
        .select("workspace_id")
        .where("id", "=", uuid)
        .executeTakeFirstOrThrow();
      const list = await db
        .insertInto("app.acl_scope")
        .values({
          tenant_id: tenantId,
          workspace_id,
          parent_id: workspace_id,
          anchor_id: uuid,
          inherits: false,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      await db.updateTable("app.collection").set({ acl_scope_id: list.id }).where("id", "=", uuid).execute();
      for (const [who, role] of Object.entries(entries)) {
        const principal_id = this.people[who as keyof RecordsTown["people"]];
        await db
          .insertInto("app.acl_entry")
          .values({ tenant_id: tenantId, scope_id: list.id, principal_id, role })
          .execute();
      }
    });
  }

  #words(line: string | string[]): string[] {
    return [...(typeof line === "string" ? line.split(" ") : line), "--workspace", "sales"];
  }
}

export const test = backendTest.extend<{ $file: { town: RecordsTown } }>({
  town: [async ({ backend, tenant }, use) => use(await RecordsTown.open(backend, tenant)), { scope: "file" }],
});
