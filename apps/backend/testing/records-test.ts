import { test as backendTest } from "./backend-test.ts";
import { Person } from "./person.ts";
import type { TestBackend, TestTenant } from "./test-backend.ts";

const names = { owner: "Olga", editor: "Edo", viewer: "Vic", stranger: "Stranger" };

type Somebody = keyof typeof names;
type Who = Somebody | "foreigner";

/** A workspace for tests of records, with a person in each role, a non-member, and another tenant. */
export class RecordsTown {
  readonly backend: TestBackend;
  readonly tenant: TestTenant;
  readonly tokens: Record<Who, string>;
  readonly people: Record<Somebody, string>;
  #collections = 0;

  static async open(backend: TestBackend, tenant: TestTenant): Promise<RecordsTown> {
    const [owner, editor, viewer, stranger] = await Promise.all(
      Object.values(names).map((name) => tenant.addPerson(name)),
    );
    if (!owner || !editor || !viewer || !stranger) throw new Error("nobody came");
    const foreigner = await backend.addTenant();
    await backend.run(foreigner.token, "workspaces create Sales");
    await backend.run(owner.token, "workspaces create Sales");
    for (const role of ["editor", "viewer"] as const) {
      const line = `members add ${tenant.addressOf(names[role])} --role ${role} --workspace sales`;
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

  as(who: Who): Person {
    return new Person(this.backend, this.tokens[who], "sales");
  }

  /** A new collection with a unique name; returns its slug and id. */
  async addCollection(...fields: string[]): Promise<{ slug: string; id: string }> {
    this.#collections += 1;
    const typed = fields.flatMap((field) => ["--field", field]);
    return this.as("owner").run(["collections", "create", `Collection ${this.#collections}`, ...typed]);
  }

  async addRecord(collection: string, ...values: string[]): Promise<string> {
    const typed = values.flatMap((value) => ["--set", value]);
    const { id } = await this.as("owner").run<{ id: string }>(["records", "create", collection, ...typed]);
    return id;
  }

  /** Only owners of the workspace and these people have access to the collection from now on. */
  async restrict(id: string, roles: Partial<Record<Somebody, string>> = {}): Promise<void> {
    await this.as("owner").run(["access", "restrict", id]);
    for (const [who, role] of Object.entries(roles)) {
      const address = this.tenant.addressOf(names[who as Somebody]);
      await this.as("owner").run(["access", "grant", id, address, "--role", role]);
    }
  }
}

export const test = backendTest.extend<{ $file: { town: RecordsTown } }>({
  town: [async ({ backend, tenant }, use) => use(await RecordsTown.open(backend, tenant)), { scope: "file" }],
});
