import { analyserVersion } from "@svc/search/analyser/analyse-text";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Dice } from "../../testing/dice.ts";
import { FilesTown } from "../../testing/files-test.ts";
import { drawnPause } from "../../testing/processes/drawn-pause.ts";
import { WorkerProcess } from "../../testing/processes/worker-process.ts";
import { TestBackend } from "../../testing/test-backend.ts";
import { PaperLoad } from "./paper-load.ts";
import { addPapers } from "./papers.ts";

/**
 * A real worker, which is killed, reindexes a whole tenant while people search and write: no hit is ever wrong or
 * missing, and at the end every document is from the current analyser. Meanwhile the tenant moves to a dedicated shelf.
 */
const documents = Number(process.env.SVC_REINDEX_DOCUMENTS ?? faultSize(200_000, 200));
/** How many of the leases expire by themselves, which takes two minutes; the others are set back. */
const leasesToWaitFor = faultSize(1, 0);
/** A sample would end before anything could be killed: half of its documents are locked until then. */
const isSample = faultSize(0, 1) === 1;
/** A tenant with more documents than this moves to a dedicated shelf. */
const shelfDocuments = faultSize(50_000, 100);

let backend: TestBackend;
let town: FilesTown;
let worker: WorkerProcess;
let admin: pg.Client;
/** Keeps the worker from documents. */
let holder: pg.Client;

beforeAll(async () => {
  backend = await TestBackend.start({ maxConnections: 10 });
  town = await FilesTown.build(backend, await backend.addTenant(), "Town");
  worker = await WorkerProcess.prepare(backend.testDatabase.workerUrl, {
    SVC_REINDEX_PAUSE: "1",
    SVC_SEARCH_SHELF_DOCUMENTS: String(shelfDocuments),
  });
  holder = new pg.Client({ connectionString: backend.testDatabase.adminUrl });
  await holder.connect();
  admin = new pg.Client({ connectionString: backend.testDatabase.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await worker?.close();
  await admin?.end();
  await holder?.end();
  await backend?.close();
});

test("no hit is wrong or missing during a full reindex", {
  timeout: 7_200_000,
}, async () => {
  const load = new PaperLoad(town, await addPapers(admin, town, documents));
  const asked = await backend.run<{ operation: string }>(town.tenant.token, "search reindex --everywhere");
  if (isSample) {
    await holder.query("begin");
    await holder.query(
      "select from app.search_document where tenant_id = $1 order by id desc limit $2 for update",
      [town.tenant.id, documents / 2],
    );
  }
  await worker.start();
  const pauseMillis = faultSize(20, 50);
  const searching = load.run({ searchers: faultSize(2, 1), writers: 0, pauseMillis });
  let writing = Promise.resolve();
  const startWriting = () => {
    writing = load.run({ searchers: 0, writers: faultSize(2, 1), pauseMillis });
    // Awaited below.
    writing.catch(() => {});
  };
  if (!isSample) startWriting();
  await Promise.race([
    reindexWithKills(asked.operation, async () => {
      if (!isSample) return;
      await holder.query("rollback");
      startWriting();
    }),
    searching.then(async () => {
      await writing;
      throw new Error("the load stopped");
    }),
  ]).finally(() => load.stop());
  await Promise.all([searching, writing]);
  const underLoad = load.millis.toSorted((one, other) => one - other);
  process.stdout.write(
    `re-index: ${documents} documents; ${kills} kills; ${underLoad.length} searches, p95 ` +
      `${underLoad[Math.floor(underLoad.length * 0.95)]?.toFixed(0)} ms, ${load.partial} partial; writes ` +
      `${JSON.stringify(load.writes)}; on shelf ${await shelvesOf()}, SVC_SEED=${seed}\n`,
  );

  expect(load.problems).toEqual([]);
  expect(worker.warnings).toEqual([]);
  expect(await outdatedDocuments()).toBe(0);
  expect(await wrongDocuments()).toEqual([]);
  await load.lookAtAll(faultSize(2_000, 20));
  expect(load.problems).toEqual([]);
  // A search that takes too long leaves texts out, which on a busy machine says nothing.
  if (process.env.SVC_FAULTS === "full") expect(load.partial).toBeLessThan(underLoad.length / 100);
});

const kills = faultSize(2, 1);
const seed = runSeed();
const dice = new Dice(seed);
/** A sample goes as far as its locked half. */
const latestKill = faultSize(0.8, 0.05);

/** Resolves when it has ended. */
async function reindexWithKills(operation: string, onceKilled: () => Promise<void>): Promise<void> {
  await startJobs();
  for (let kill = 0; kill < kills; kill += 1) {
    const share = 0.05 + (latestKill * (kill + dice.throw() * 0.6)) / kills;
    await until(operation, ({ done, total }) => done >= share * total);
    await drawnPause(dice, faultSize(1_000, 20));
    await worker.kill();
    const at = await look(operation);
    expect(at).toMatchObject({ state: "running" });
    expect(at.done / at.total, "killed too late").toBeLessThan(0.95);
    await onceKilled();
    await worker.start();
    if (kill >= leasesToWaitFor) {
      await letLeaseRunOut();
      await startJobs();
    }
    await until(operation, ({ done }) => done > at.done);
  }
  const ended = await until(operation, ({ state }) => state !== "running");
  expect(ended).toMatchObject({ state: "done", done: ended.total });
}

interface Look {
  state: string;
  done: number;
  total: number;
}

async function look(operation: string): Promise<Look> {
  const { state, progress } = await backend.run<{ state: string; progress: Omit<Look, "state"> }>(
    town.tenant.token,
    `operations show ${operation}`,
  );
  return { state, done: progress.done, total: progress.total };
}

async function until(operation: string, isSo: (look: Look) => boolean): Promise<Look> {
  for (;;) {
    const seen = await look(operation);
    if (isSo(seen)) return seen;
    if (seen.state === "done" || seen.state === "failed") throw new Error(`it has ended: ${seen.state}`);
    await drawnPause(dice, faultSize(400, 40));
  }
}

/** Cron does this every minute and every ten minutes; these are its queue entries, created now. */
async function startJobs(): Promise<void> {
  await admin.query(
    "select graphile_worker.add_job('search:reindex'), graphile_worker.add_job('search:promote')",
  );
}

async function letLeaseRunOut(): Promise<void> {
  await admin.query("update app.search_reindex set leased_until = now() - interval '1 second'");
}

async function outdatedDocuments(): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    "select count(*)::int from app.search_document where analyser_version <> $1",
    [analyserVersion],
  );
  return rows[0]?.count ?? Number.NaN;
}

/** A dedicated shelf if it was big enough for long enough: then it moved in between. */
async function shelvesOf(): Promise<string> {
  const { rows } = await admin.query<{ shelf_id: number; count: number }>(
    "select shelf_id, count(*)::int from app.search_document where tenant_id = $1 group by 1 order by 1",
    [town.tenant.id],
  );
  return rows.map(({ shelf_id, count }) => `${shelf_id} (${count})`).join(", ");
}

/** Files without a document, documents without a file, duplicates, and documents with other words than the file has now. */
async function wrongDocuments(): Promise<unknown[]> {
  const { rows } = await admin.query(
    `with file as (
       select node.id, node.name, node.content_version, substring(text from '(zt[a-z]+x)$') as word
       from app.node join app.node_text on node_id = node.id and node_text.content_version = node.content_version
       where node.tenant_id = $1 and kind = 'file' and trashed_at is null),
     document as (
       select id, name, content_version, name_tsv, body_tsv, (
         select string_agg(lexeme, ' ') from unnest(body_tsv) where lexeme ~ '^zt[a-z]+x$') as words
       from app.search_document where tenant_id = $1 and entity_type = 'FILE')
     select coalesce(file.id, document.id) as id, file.name as file, document.name as document, word, words
     from file full join document using (id)
     where (file.name = document.name and file.content_version = document.content_version and word = words
       and name_tsv @@ quote_literal(split_part(file.name, '.', 1))::tsquery) is not true
     union all
     select id, 'twice', null, null, null from document group by id having count(*) > 1
     limit 10`,
    [town.tenant.id],
  );
  return rows;
}
