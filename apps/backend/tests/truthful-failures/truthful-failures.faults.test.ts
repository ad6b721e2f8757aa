import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type ErrorCode, errorTable } from "@svc/protocol/error-table";
import type { CliRequest, UploadAnswer } from "@svc/protocol/exchange";
import { packMediaType } from "@svc/protocol/manifest";
import type { Problem } from "@svc/protocol/problem";
import { sendTree } from "@svc/testing/send-tree";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Dependency } from "../../src/platform/process/dependency.ts";
import { appPassword } from "../../testing/processes/spare-database.ts";
import { ask } from "../../testing/search-test.ts";
import { type CliReply, TestBackend } from "../../testing/test-backend.ts";
import { testBucketMillis } from "../../testing/test-bucket.ts";
import { buildFaultyWorld, type FaultyWorld } from "./faulty-world.ts";

let world: FaultyWorld;
let skew = 0;

beforeAll(async () => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + skew);
  world = await buildFaultyWorld();
}, testBucketMillis);
afterAll(async () => {
  vi.restoreAllMocks();
  await world.close();
});
beforeEach(() => {
  // Faults of the same kind follow each other here within ten seconds.
  world.backend.server.problemReports.flush();
  world.logged.length = 0;
});

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: Problem;
}

interface Fault {
  code: ErrorCode;
  dependency: Dependency;
  says: RegExp;
  /** What /readyz reports meanwhile. */
  ready: { reason: string } | { degraded: string[] };
  /** Begins it; returns how to end it. */
  begin(): Promise<() => unknown>;
  /** A request that needs what is broken. */
  call(): Promise<Answer>;
}

const makeFolder = () => world.town.type(["files", "mkdir", `/${randomUUID()}`]) as Promise<Answer>;
const putFile = () => world.town.put(`/${randomUUID()}.txt`, randomUUID()) as Promise<Answer>;
const endConnections =
  "select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'svc_app'";

const faults: Record<string, Fault> = {
  "store down": {
    code: "unavailable",
    dependency: "store",
    says: /^The storage for file contents cannot be reached\.$/,
    ready: { degraded: ["store"] },
    begin: async () => {
      await world.network.store.goDown();
      return () => world.network.store.comeUp();
    },
    call: putFile,
  },
  "store silent": {
    code: "unavailable",
    dependency: "store",
    says: /^The storage for file contents cannot be reached\.$/,
    ready: { degraded: ["store"] },
    begin: async () => {
      world.network.store.silence();
      world.network.store.silenceNew();
      return () => world.network.store.speak();
    },
    call: putFile,
  },
  "disk full": {
    code: "unavailable",
    dependency: "store",
    says: /^The storage for file contents is full\.$/,
    ready: { degraded: ["store"] },
    begin: async () => {
      await world.disk.fill();
      return () => world.disk.makeRoom();
    },
    call: async () => (await upload(world.backend, Buffer.alloc(100_000))).answer,
  },
  "no room for a large upload": {
    code: "unavailable",
    dependency: "store",
    says: /^The storage for file contents is full\.$/,
    ready: { degraded: ["store"] },
    begin: async () => {
      // It would fit, but not beside what has to stay free.
      await world.disk.fill(240_000);
      return () => world.disk.makeRoom();
    },
    call: async () => (await upload(world.backend, Buffer.alloc(150_000))).answer,
  },
  standby: {
    code: "unavailable",
    dependency: "database",
    says: /^The database is read-only at the moment\.$/,
    ready: { reason: "read_only" },
    begin: async () => {
      await world.postgres.becomeStandby();
      return () => world.asAdmin("select pg_promote()");
    },
    call: makeFolder,
  },
  "database hangs": {
    code: "unavailable",
    dependency: "database",
    says: /^The database cannot be reached\.$/,
    ready: { reason: "database" },
    begin: async () => {
      world.network.database.silence();
      world.network.database.silenceNew();
      return () => world.network.database.speak();
    },
    call: makeFolder,
  },
  unmigrated: {
    code: "unavailable",
    dependency: "database",
    says: /^The database is not prepared for this version of the service\.$/,
    ready: { reason: "schema_too_old" },
    begin: async () => {
      const tables = ["alter schema app", "alter schema control", "alter table public.svc_migration"];
      const rename = (from: string, to: string) =>
        world.asAdmin(
          tables.map((what) => `${what}${from} rename to ${what.split(/[ .]/).at(-1)}${to}`).join(";"),
        );
      await rename("", "_away");
      return () => rename("_away", "");
    },
    call: makeFolder,
  },
  "wrong password": {
    code: "unavailable",
    dependency: "database",
    says: /^The database does not accept the login of the service\.$/,
    ready: { reason: "database" },
    begin: async () => {
      await world.asAdmin(`alter role svc_app password 'another'; ${endConnections}`);
      return () => world.asAdmin(`alter role svc_app password '${appPassword}'`);
    },
    call: makeFolder,
  },
  "connections exhausted": {
    code: "unavailable",
    dependency: "database",
    says: /^The database has run out of connections, disk space or memory\.$/,
    ready: { reason: "database" },
    begin: async () => {
      await world.asAdmin(`alter role svc_app connection limit 0; ${endConnections}`);
      return () => world.asAdmin("alter role svc_app connection limit -1");
    },
    call: makeFolder,
  },
  "pool exhausted": {
    code: "unavailable",
    dependency: "database",
    says: /^Too many requests are waiting for a database connection\.$/,
    // Checks of health have their own connection.
    ready: { degraded: [] },
    begin: async () => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const holders = Array.from({ length: 20 }, () =>
        world.backend.database
          .withTenant({ tenantId: randomUUID(), actorId: randomUUID() }, "read", () => released)
          .catch(() => {}),
      );
      await expect.poll(() => world.backend.database.usage.busy).toBeGreaterThanOrEqual(4);
      return async () => {
        release();
        await Promise.all(holders);
      };
    },
    call: makeFolder,
  },
  "model down": {
    code: "unavailable",
    dependency: "model",
    says: /^openai\/remote@768 is not available: the embedder did not answer\.$/,
    ready: { degraded: ["model"] },
    begin: async () => {
      const { backend, town, network } = world;
      await backend.run(town.tenant.token, "embeddings adopt concepts");
      await network.model.goDown();
      // The search does without; its query is what is compared.
      await ask(town, town.tenant.token, "rain");
      await expect.poll(countQueries).toBe(1);
      return () => world.network.model.comeUp();
    },
    call: async () =>
      (await world.backend.type(world.town.tenant.token, "embeddings compare")) as unknown as Answer,
  },
  "provider keys down": {
    code: "unavailable",
    dependency: "provider",
    says: /^The identity provider cannot be reached to check the login\.$/,
    // Tokens of service accounts need no provider.
    ready: { degraded: [] },
    begin: async () => {
      world.provider.fault = (request) => {
        request.destroy();
        return true;
      };
      return () => {
        world.provider.fault = () => false;
        // It is asked once in ten seconds.
        skew += 10_000;
      };
    },
    call: async () => (await world.backend.type(world.accessToken, "whoami")) as unknown as Answer,
  },
  "lock held": {
    code: "timeout",
    dependency: "database",
    says: /^The database waited too long for a lock\.$/,
    ready: { degraded: [] },
    begin: async () => {
      const holder = new pg.Client({ connectionString: world.postgres.url });
      await holder.connect();
      await holder.query("begin; lock table app.node in access exclusive mode");
      return () => holder.end();
    },
    call: makeFolder,
  },
};

test.for(Object.keys(faults))(
  "%s: answer, log line and metric name the same code and dependency, and it ends by itself",
  async (name) => {
    const fault = faults[name] as Fault;
    const { code, dependency } = fault;
    const before = await counted();
    // Known for five seconds: the fault meets the command, not the check of its credential.
    await world.town.run("whoami");
    const end = await fault.begin();
    try {
      const { status, headers, body } = await fault.call();
      expect({ status, code: body.code, detail: body.detail }).toEqual({
        status: errorTable[code].status,
        code,
        detail: expect.stringMatching(fault.says),
      });
      if (code === "unavailable") expect(Number(headers["retry-after"])).toBeGreaterThan(0);

      const lines = world.logged.filter((line) => line.requestId === body.requestId && line.code && line.err);
      expect(lines).toEqual([
        expect.objectContaining({ level: 50, code, dependency, msg: body.detail, err: expect.anything() }),
      ]);
      const command = String(lines[0]?.command ?? "none");
      if (dependency !== "provider") expect(lines[0]?.tenant).toBe(world.town.tenant.id);
      expect(await grown(before)).toEqual({ [`${command} ${code} ${dependency}`]: 1 });

      // It answers while the fault lasts, whatever hangs.
      await expect.poll(readiness).toMatchObject(fault.ready);
    } finally {
      await end();
    }
    await expect.poll(async () => (await fault.call()).status, { interval: 200 }).toBeLessThan(300);
    await expect.poll(readiness).toEqual({ status: "ready", degraded: [] });
  },
);

test("a search does without a model that is down, and the log names it", async () => {
  await world.network.model.goDown();
  try {
    const { semantic } = await ask(world.town, world.town.owner, "a question nobody asked");
    expect(semantic.state).toBe("unavailable");
    expect(world.logged).toContainEqual(
      expect.objectContaining({ level: 40, dependency: "model", requestId: expect.any(String) }),
    );
  } finally {
    await world.network.model.comeUp();
  }
});

/** A backend whose contents are on a small disk. */
async function onSmallDisk(): Promise<TestBackend> {
  const backend = await TestBackend.start({
    testDatabase: world.backend.testDatabase,
    folder: join(world.disk.folder, "contents"),
  });
  onTestFinished(() => backend.close());
  return backend;
}

test("a disk that becomes full after the upload is a full store, and the same call works when there is room", async () => {
  const { store } = await upload(await onSmallDisk(), "a".repeat(5_000));
  await world.disk.fill();
  const refused = await store();
  await world.disk.makeRoom();
  expect(refused).toMatchObject({
    status: 503,
    body: { code: "unavailable", detail: "The storage for file contents is full." },
  });
  expect((await store()).status).toBe(200);
});

test("a folder that has arrived is stored even if the disk is full by then", async () => {
  const backend = await onSmallDisk();
  const earlier = await uploadFolder(backend, "b".repeat(5_000));
  expect((await earlier.store()).status).toBe(200);
  const { store } = await uploadFolder(backend, "a".repeat(5_000));
  await world.disk.fill();
  const { status } = await store();
  await world.disk.makeRoom();
  expect(status).toBe(200);
});

async function countQueries(): Promise<number> {
  const { tenantId, actorId } = {
    tenantId: world.town.tenant.id,
    actorId: world.town.tenant.administratorId,
  };
  return world.backend.database.withTenant({ tenantId, actorId }, "read", async ({ db }) => {
    const { rows } = await sql<{ queries: number }>`
      select count(*)::int as queries from app.search_query where tenant_id = ${tenantId}`.execute(db);
    return rows[0]?.queries ?? 0;
  });
}

async function readiness(): Promise<unknown> {
  // What /readyz has found holds for up to five seconds.
  skew += 5_000;
  return (await world.backend.server.inject({ url: "/readyz" })).json();
}

/** The first half of `files put`: its content arrives on the disk of the service. */
async function upload(backend: TestBackend, content: string | Uint8Array) {
  const { owner, slug } = world.town;
  const line = ["files", "put", "./x", `/${randomUUID()}`, "--workspace", slug];
  const asked = await backend.type(owner, line);
  const { uploads, continuation } = asked.body as unknown as UploadAnswer;
  const sent = await backend.server.inject({
    method: "PATCH",
    url: uploads[0]?.href ?? "",
    headers: {
      authorization: `Bearer ${owner}`,
      "content-type": "application/offset+octet-stream",
      "upload-offset": "0",
    },
    payload: Buffer.from(content),
  });
  const body = sent.statusCode < 300 ? {} : sent.json();
  return {
    answer: { status: sent.statusCode, headers: sent.headers, body },
    /** The second half. */
    store: () => backend.type(owner, line, { request: { continuation } }),
  };
}

/** The same for a folder with one file: stops before the call that stores it, and repeats just that. */
async function uploadFolder(backend: TestBackend, content: string) {
  const { owner, slug } = world.town;
  const line = ["files", "put", "./x", `/${randomUUID()}`, "--workspace", slug];
  let last: Partial<CliRequest> = {};
  let hasPacks = false;
  const held = { status: 0, headers: {}, body: {} } as CliReply;
  await sendTree<CliReply>(
    { a: content },
    {
      type: async (request) => {
        last = request;
        return hasPacks ? held : backend.type(owner, line, { request });
      },
      post: async (url, payload, mediaType) => {
        hasPacks = mediaType === packMediaType;
        const headers = { authorization: `Bearer ${owner}`, "content-type": mediaType };
        const sent = await backend.server.inject({ method: "POST", url, headers, payload });
        return sent.body;
      },
    },
  );
  return { store: () => backend.type(owner, line, { request: last }) };
}

async function counted(): Promise<Map<string, number>> {
  const metric = await world.backend.metrics.registry.getSingleMetric("svc_command_total")?.get();
  return new Map(
    metric?.values.map(({ labels, value }) => [
      `${labels.command} ${labels.code} ${labels.dependency}`,
      value,
    ]),
  );
}

/** What was counted since then, except successes. */
async function grown(before: ReadonlyMap<string, number>): Promise<Record<string, number>> {
  const grown = [...(await counted())].map(
    ([labels, value]) => [labels, value - (before.get(labels) ?? 0)] as const,
  );
  return Object.fromEntries(grown.filter(([labels, count]) => count > 0 && !labels.includes(" done ")));
}
