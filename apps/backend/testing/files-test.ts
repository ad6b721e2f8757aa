import { test as base, testAlone as baseAlone } from "./backend-test.ts";
import { Person } from "./person.ts";
import type { TestBackend, TestTenant } from "./test-backend.ts";

/**
 * One workspace and its owner; the tenant's administrator is somebody else. What the town types its owner types, unless it
 * is typed `as` somebody else.
 */
export class FilesTown extends Person {
  readonly tenant: TestTenant;
  readonly slug: string;
  readonly owner: string;

  private constructor(backend: TestBackend, tenant: TestTenant, slug: string, owner: string) {
    super(backend, owner, slug);
    this.tenant = tenant;
    this.slug = slug;
    this.owner = owner;
  }

  static async build(backend: TestBackend, tenant: TestTenant, name: string): Promise<FilesTown> {
    const { token } = await tenant.addPerson(`Owner of ${name}`);
    const { slug } = await backend.run<{ slug: string }>(token, ["workspaces", "create", name]);
    return new FilesTown(backend, tenant, slug, token);
  }

  as(token: string): Person {
    return new Person(this.backend, token, this.slug);
  }

  /** The token of somebody with a role in the workspace, or none. */
  async person(name: string, role?: "viewer" | "editor" | "owner"): Promise<string> {
    const { token } = await this.tenant.addPerson(name);
    if (role) await this.type(["members", "add", this.tenant.addressOf(name), "--role", role]);
    return token;
  }
}

const town = async ({ backend }: { backend: TestBackend }, use: (town: FilesTown) => Promise<void>) =>
  use(await FilesTown.build(backend, await backend.addTenant(), "Town"));

export const test = base.extend<{ town: FilesTown }>({ town });
export const testAlone = baseAlone.extend<{ town: FilesTown }>({ town });
