import { packTar } from "modern-tar";
import { test as base } from "./backend-test.ts";
import type { TestBackend, TestTenant } from "./test-backend.ts";

/** One workspace, its owner (the tenant's administrator is somebody else), and the lines that tests type most. */
export class FilesTown {
  readonly backend: TestBackend;
  readonly tenant: TestTenant;
  readonly slug: string;
  readonly owner: string;

  private constructor(backend: TestBackend, tenant: TestTenant, slug: string, owner: string) {
    this.backend = backend;
    this.tenant = tenant;
    this.slug = slug;
    this.owner = owner;
  }

  static async build(backend: TestBackend, tenant: TestTenant, name: string): Promise<FilesTown> {
    const { token } = await tenant.addPerson(`Owner of ${name}`);
    const { slug } = await backend.run<{ slug: string }>(token, ["workspaces", "create", name]);
    return new FilesTown(backend, tenant, slug, token);
  }

  /** Somebody with a role in the workspace, or none. */
  async person(name: string, role?: "viewer" | "editor" | "owner"): Promise<string> {
    const { token } = await this.tenant.addPerson(name);
    if (role) await this.type(this.owner, ["members", "add", this.tenant.addressOf(name), "--role", role]);
    return token;
  }

  words(line: string | string[]): string[] {
    return [...(typeof line === "string" ? line.split(" ") : line), "--workspace", this.slug];
  }

  type(token: string, line: string | string[]) {
    return this.backend.type(token, this.words(line));
  }

  /** The data of an answer; anything but success is a mistake in the test. */
  run<Data = Record<string, unknown>>(line: string | string[], token = this.owner): Promise<Data> {
    return this.backend.run<Data>(token, this.words(line));
  }

  put(path: string, content: string | Uint8Array, token = this.owner) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return this.backend.send(token, this.words(["files", "put", `./${name}`, path]), content);
  }

  /** A folder as a client sends it: a tar archive of its entries. A name that ends with a slash is a folder. */
  async putFolder(line: string | string[], files: Record<string, string>, token = this.owner) {
    const archive = await packTar(
      Object.entries(files).map(([name, body]) => ({
        header: {
          name,
          size: Buffer.byteLength(body),
          ...(name.endsWith("/") ? { type: "directory" as const } : {}),
        },
        body,
      })),
    );
    return this.backend.send(token, this.words(line), archive, { isFolder: true });
  }

  /** Every path that somebody sees, folders with a slash at the end. */
  async tree(token = this.owner, folder = "/"): Promise<string[]> {
    const { nodes } = await this.run<{ nodes: { path: string; kind: string }[] }>(
      ["files", "tree", folder, "--depth", "50"],
      token,
    );
    return nodes.map(({ path, kind }) => (kind === "folder" ? `${path}/` : path));
  }

  async cat(path: string, token = this.owner): Promise<string> {
    return (await this.run<{ text: string }>(["files", "cat", path], token)).text;
  }

  undo(operation: string | undefined, token = this.owner) {
    return this.backend.type(token, ["operations", "undo", operation ?? ""]);
  }
}

export const test = base.extend<{ town: FilesTown }>({
  town: async ({ backend }, use) => use(await FilesTown.build(backend, await backend.addTenant(), "Town")),
});
