import type { InjectOptions } from "fastify";
import { test as base } from "vitest";
import type { DemoSettings } from "../../src/platform/process/config.ts";
import { FilesTown } from "../files-test.ts";
import type { TestAnswer } from "../search-test.ts";
import { TestBackend, type TestBackendOptions } from "../test-backend.ts";
import { asAdmin } from "../worker-test.ts";

interface DemoReply {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  body: TestAnswer & { code?: string; detail?: string; filesLeft?: number; text?: string };
}

/** A demo with a sample workspace, one folder of which visitors do not see. */
export class DemoWorld {
  readonly backend: TestBackend;
  readonly town: FilesTown;
  #visitors = 0;

  private constructor(backend: TestBackend, town: FilesTown) {
    this.backend = backend;
    this.town = town;
  }

  static async build(
    settings: Partial<DemoSettings> = {},
    options: TestBackendOptions = {},
  ): Promise<DemoWorld> {
    const demo = { visitors: 1_000, visitorsPerAddress: 1_000, ratePerAddress: 10_000, ...settings };
    const backend = await TestBackend.start({ ...options, demo });
    const town = await FilesTown.build(backend, await backend.addTenant("Kumo"), "Town");
    await town.put("/tea.txt", "green tea from the mountains");
    await town.run("files mkdir /board");
    await town.run("access restrict /board");
    await town.put("/board/plan.txt", "the secret of the mountains");
    await backend.provision((provisioner) => provisioner.markDemo(town.tenant.id));
    return new DemoWorld(backend, town);
  }

  /** From an address that nobody else has, unless one is given: some limits are of an address. */
  async visitor(address = `10.0.${this.#visitors++ >> 8}.${this.#visitors & 255}`): Promise<TestVisitor> {
    const visitor = new TestVisitor(this.backend, address);
    const { status, body } = await visitor.search("tea");
    if (status !== 200) throw new Error(`no visitor: ${status} ${body.detail}`);
    return visitor;
  }

  /** As if two hours had passed for everybody who is there. */
  async expireAll(): Promise<void> {
    await asAdmin(this, (admin) =>
      admin.query("update app.demo_visitor set expires_at = now() - interval '1 second'"),
    );
  }
}

/** A browser that keeps its cookie. */
export class TestVisitor {
  readonly #backend: TestBackend;
  readonly #address: string | undefined;
  secret: string | undefined;

  constructor(backend: TestBackend, address?: string) {
    this.#backend = backend;
    this.#address = address;
  }

  search(query: string, more: Record<string, unknown> = {}, headers = {}): Promise<DemoReply> {
    return this.send({
      url: "/api/v1/demo/search",
      headers,
      payload: { query, searchContent: true, ...more },
    });
  }

  upload(name: string, content: string | Uint8Array, headers = {}): Promise<DemoReply> {
    return this.send({
      url: "/api/v1/demo/files",
      headers: {
        "content-type": "application/octet-stream",
        "x-file-name": encodeURIComponent(name),
        ...headers,
      },
      payload: Buffer.from(content),
    });
  }

  async send({ headers, ...options }: InjectOptions): Promise<DemoReply> {
    const cookie = this.secret === undefined ? {} : { cookie: `svc_demo=${this.secret}` };
    const answer = await this.#backend.server.inject({
      method: "POST",
      ...(this.#address === undefined ? {} : { remoteAddress: this.#address }),
      ...options,
      headers: { ...cookie, ...headers },
    });
    const [, secret] = /^svc_demo=([^;]+)/.exec(String(answer.headers["set-cookie"] ?? "")) ?? [];
    if (secret !== undefined) this.secret = secret;
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  }
}

interface DemoFixtures {
  $file: { world: DemoWorld };
}

export const test = base.extend<DemoFixtures>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs off this pattern
    async ({}, use) => {
      const world = await DemoWorld.build();
      await use(world);
      await world.backend.close();
    },
    { scope: "file" },
  ],
});
