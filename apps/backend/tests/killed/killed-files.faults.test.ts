import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { loadFeatureModules } from "@svc/command-router/feature-modules";
import { Database } from "@svc/database/database";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BlobCollection } from "../../src/platform/blobs/blob-collection.ts";
import { FileSystemStore } from "../../src/platform/blobs/file-system-store.ts";
import type { JobContext, JobDefinition } from "../../src/platform/jobs/define-job.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { Embedders } from "../../src/platform/search/embedders.ts";
import { SearchSources } from "../../src/platform/search/search-source.ts";
import { Staging } from "../../src/platform/uploads/staging.ts";
import { addAdministrator } from "../../testing/administrator.ts";
import { Dice } from "../../testing/dice.ts";
import { ApiProcess } from "../../testing/processes/api-process.ts";
import { HttpCaller } from "../../testing/processes/http-caller.ts";
import { KilledTown, type Line, type Visible } from "./killed-town.ts";

/**
 * The API is killed before and during every single step of a command: afterwards the state is that before or after the
 * command, a retry with the same key has one effect, and sweeping leaves no orphan. A kill is not a power cut: this
 * does not test whether bytes reach the disk.
 */
const stride = faultSize(1, 61);
const seed = runSeed();
const dice = new Dice(seed);
/** Each kill costs the start of an API: one that stores and one that purges stand for all. */
const inGate: Record<string, "any step" | "the answer"> = {
  "put of a new version": "the answer",
  "purge of a folder": "any step",
};

let testDatabase: TestDatabase;
let api: ApiProcess;
let token: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  token = await addAdministrator(testDatabase.adminUrl);
  api = await ApiProcess.prepare(testDatabase.appUrl, { withKillSwitch: true });
  await api.start();
});
afterAll(async () => {
  await api?.close();
  await testDatabase?.drop();
});

interface Killed {
  /** The initial state, and the line to run. Contents are unique, or they would share objects. */
  prepare(town: KilledTown, unique: string): Promise<{ line: Line; before: Visible; after: Visible }>;
}

const file = (...versions: string[]) => ({ text: versions[0] ?? "", versions });
const nothing: Visible = { folders: [], files: {}, trash: [] };

const commands = {
  "put of a new file": {
    async prepare(_town, unique) {
      const line = { argv: ["files", "put", "./a.txt", "/a.txt"], content: unique };
      return { line, before: nothing, after: { ...nothing, files: { "/a.txt": file(unique) } } };
    },
  },
  "put of a new version": {
    async prepare(town, unique) {
      const [old, next] = [`old ${unique}`, `next ${unique}`];
      await town.put("/a.txt", old);
      return {
        line: { argv: ["files", "put", "./a.txt", "/a.txt"], content: next },
        before: { ...nothing, files: { "/a.txt": file(old) } },
        after: { ...nothing, files: { "/a.txt": file(next, old) } },
      };
    },
  },
  "move of a folder below another list": {
    async prepare(town, unique) {
      await town.run("files mkdir /from");
      await town.put("/from/a.txt", unique);
      await town.run("files mkdir /to");
      await town.run("access restrict /to");
      const at = (place: string, folders: string[]) => ({
        folders,
        files: { [place]: file(unique) },
        trash: [],
      });
      return {
        line: { argv: ["files", "move", "/from", "/to"] },
        before: at("/from/a.txt", ["/from", "/to"]),
        after: at("/to/from/a.txt", ["/to", "/to/from"]),
      };
    },
  },
  "delete of a folder": {
    async prepare(town, unique) {
      await town.run("files mkdir /old");
      await town.put("/old/a.txt", unique);
      return {
        line: { argv: ["files", "delete", "/old"] },
        before: { folders: ["/old"], files: { "/old/a.txt": file(unique) }, trash: [] },
        after: { ...nothing, trash: ["old"] },
      };
    },
  },
  "purge of a folder": {
    async prepare(town, unique) {
      await town.run("files mkdir /old");
      await town.put("/old/a.txt", `first ${unique}`);
      await town.put("/old/a.txt", `second ${unique}`);
      await town.run("files delete /old");
      return {
        line: { argv: ["trash", "purge", "--confirm", "true"] },
        before: { ...nothing, trash: ["old"] },
        after: nothing,
      };
    },
  },
} satisfies Record<string, Killed>;

for (const [name, { prepare }] of Object.entries<Killed>(commands)) {
  const tags = name in inGate ? [] : ["nightly"];
  test(`${name}: killed at every step, it happens once or not at all`, { tags }, async () => {
    const found = { kills: 0, before: 0, after: 0 };
    const isSample = faultSize(1, 0) === 0;
    let cut = 1 + Math.floor(dice.throw() * stride);
    if (isSample && inGate[name] === "the answer") cut = await cutBeforeAnswer(name, prepare);
    for (; ; cut += stride) {
      const town = await KilledTown.build(api, token, `${name} ${cut}`);
      const { line, before, after } = await prepare(town, `${name}, cut ${cut}`);
      expect(await town.look()).toEqual(before);

      const committedBefore = await countCommitted(line);
      const call = town.call(line);
      const acknowledged = await call.sendOnce(cut);
      const wasKilled = await api.isDead();
      if (wasKilled) await api.start();
      const seen = await town.look();
      const happened = JSON.stringify(seen) === JSON.stringify(after);
      expect(seen, `killed at cut ${cut}`).toEqual(acknowledged || happened ? after : before);

      expect(await call.sendOnce(), `repeated after cut ${cut}`).toEqual({ isReplayed: happened });
      expect(await town.look()).toEqual(after);
      expect(await countCommitted(line), `audited after cut ${cut}`).toBe(committedBefore + 1);
      if (!wasKilled) {
        if (found.kills > 0) break;
        // The command was over by then.
        cut = 1 + Math.floor(dice.throw() * (cut - 1)) - stride;
        continue;
      }
      found.kills += 1;
      found[happened ? "after" : "before"] += 1;
    }
    process.stdout.write(`${name}: ${JSON.stringify(found)}, SVC_SEED=${seed}\n`);
    expect(found.kills).toBeGreaterThan(0);
  });
}

test("after all of it, sweeping leaves neither an orphan nor a row without its object", async () => {
  const { body } = await new HttpCaller(api.address, token).post({ argv: ["audit", "verify"] });
  expect(body).toMatchObject({ exitCode: 0, data: { intact: true } });
  const found = { objects: (await objects()).length, contents: (await storageKeys()).length };
  await sweepADayLater();
  process.stdout.write(`before sweeping: ${JSON.stringify(found)}\n`);

  expect(await objects()).toEqual(await storageKeys());
  expect(await filesIn("staging")).toEqual([]);
  expect(
    await query(sql`
      select from app.blob full join (
        select tenant_id, sha256, count(*)::int as held from app.node_version group by 1, 2) as version
        using (tenant_id, sha256)
      where reference_count is distinct from held`),
  ).toEqual([]);
  expect(
    await query(sql`
      select from app.node
      left join (app.node_version as version join app.node_text using (tenant_id, node_id, content_version))
        on version.tenant_id = node.tenant_id and version.node_id = node.id
       and version.content_version = node.content_version
      where kind = 'file' and version.sha256 is distinct from node.sha256`),
  ).toEqual([]);
});

/** Everything has happened, and the caller does not know yet. */
async function cutBeforeAnswer(name: string, prepare: Killed["prepare"]): Promise<number> {
  const town = await KilledTown.build(api, token, `${name}, alive`);
  const { line } = await prepare(town, `${name}, alive`);
  const call = town.call(line);
  const many = 1_000_000;
  await call.sendOnce(many);
  return many - call.cutsLeft;
}

/** Every file in the store, including interrupted writes. */
function objects(): Promise<string[]> {
  return filesIn("objects");
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(api.folder, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

async function storageKeys(): Promise<string[]> {
  const rows = await query<{ key: string }>(sql`select tenant_id || '_' || storage_key as key from app.blob`);
  return rows.map(({ key }) => key).sort();
}

/** All jobs of the worker, as they run when everything is older than a day. */
async function sweepADayLater(): Promise<void> {
  await query(sql`update app.blob set unreferenced_at = unreferenced_at - interval '25 hours'`);
  const worker = new Database({ url: testDatabase.workerUrl });
  const context: JobContext = {
    sweepExpired: async () => 0,
    blobCollection: new BlobCollection(worker),
    blobStore: new FileSystemStore(api.folder),
    staging: new Staging(api.folder),
    database: worker,
    search: { sources: await SearchSources.load(featuresFolder) },
    embedders: new Embedders([]),
    settings: { reindexPause: 0, shelfDocuments: 50_000, embeddingCron: "0 3 * * 0", embeddingSpread: 9 },
    log: pino({ level: "silent" }),
    now: new Date(Date.now() + 25 * 60 * 60_000),
    machineTime: new Date(Date.now() + 25 * 60 * 60_000),
    signal: undefined,
  };
  try {
    const jobs = await loadFeatureModules<JobDefinition>(featuresFolder, "jobs");
    for (const { definition } of jobs) await definition.run(context);
  } finally {
    await worker.close();
  }
}

async function countCommitted({ argv }: Line): Promise<number> {
  const rows = await query(sql`
    select from app.audit where command = ${argv.slice(0, 2).join(" ")} and outcome = 'committed'`);
  return rows.length;
}

async function query<Row>(statement: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  const admin = new Database({ url: testDatabase.adminUrl, maxConnections: 1 });
  try {
    return (await admin.withDirectory((db) => statement.execute(db))).rows;
  } finally {
    await admin.close();
  }
}
