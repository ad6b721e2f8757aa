import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Database } from "@svc/database/database";
import { writeDocuments } from "@svc/search/index/documents";
import { mergeShelf, nextShelfToMerge } from "@svc/search/index/merge-shelf";
import { createTestDatabase } from "@svc/testing/test-database";
import { benchSize } from "../../bench/bench-size.ts";
import { addFileCaller, type FileCaller } from "../../bench/file-caller.ts";
import { Dice, drawText } from "../../bench/fulltext/words.ts";
import { HttpClient } from "../../bench/http-client.ts";
import { fillIndex } from "../../bench/index-data/fill-index.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { startWorker } from "../../bench/processes/worker-process.ts";
import { putOverExchange } from "../../bench/put-over-exchange.ts";
import { median, quantile } from "../../bench/quantile.ts";
import { atMost, type Bench, type Report } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { createSmallDatabase, type SmallDatabase } from "../../bench/small-database.ts";
import { withClient } from "../../bench/with-client.ts";

/** Documents in the index, and how many are then written one by one. */
const size = benchSize({ indexed: 20_000, written: 2_000 }, { indexed: 500, written: 50 });
const putsPerSecond = Number(process.env.BENCH_RATE ?? 50);
const seconds = benchSize(30, 1);
/** Without a worker, as long as it takes until nothing changes any more. */
const secondsWithoutWorker = Number(process.env.BENCH_SECONDS ?? benchSize(600, 1));

export default {
  summary: "indexing writes little WAL, and neither puts nor searches wait for it, with or without a worker",
  async run(): Promise<Report> {
    const wal = { off: await walPerDocument("off"), on: await walPerDocument("on") };
    console.error(JSON.stringify(wal));
    await using folder = await createScratchFolder();
    const loads: Load[] = [];
    for (const kind of ["pending list off", "worker merges", "no worker"] as const) {
      await using database = await createSmallDatabase(folder.path);
      const load = await measureLoad(kind, database, folder.path);
      console.error(JSON.stringify(load));
      loads.push(load);
    }
    const [off, merging, alone] = loads as [Load, Load, Load];
    return {
      tables: [
        {
          title: `WAL per document, ${size.written} written one by one after ${size.indexed}, without full pages`,
          rows: [
            { "pending list": "off", kB: wal.off },
            { "pending list": "merged", kB: wal.on },
          ],
        },
        {
          title: `${putsPerSecond} puts a second, and one searcher, ms`,
          rows: loads.map((load) => ({ ...load })),
        },
      ],
      bars: [
        atMost("WAL, times that without a pending list", wal.on / wal.off, 0.65),
        atMost("slowest put, ms", merging["put max"], 200),
        atMost("median search, ms more than without a pending list", merging.search - off.search, 5),
        atMost("median search without a worker, times that with one", alone.search / merging.search, 2),
        atMost(
          "documents lost",
          loads.reduce((sum, { lost }) => sum + lost, 0),
          0,
        ),
      ],
    };
  },
} satisfies Bench;

/** In kilobytes, of the connection that writes and merges. */
async function walPerDocument(pending: "on" | "off"): Promise<number> {
  const { adminUrl, drop } = await createTestDatabase();
  const database = new Database({ url: adminUrl, maxConnections: 1 });
  try {
    const { tenantId, workspaceId, shelf, places } = await fillIndex(adminUrl, {
      documents: size.indexed,
      places: 100,
    });
    if (pending === "off") await turnPendingListsOff(adminUrl);
    const dice = new Dice(2);
    const scope = { tenantId, actorId: tenantId };
    const before = await walOf(database, adminUrl);
    for (let index = 0; index < size.written; index += 1) {
      const document = {
        id: randomUUID(),
        entityType: "FILE" as const,
        workspaceId,
        placeId: places[index % places.length] ?? tenantId,
        name: `file ${index}.txt`,
        text: drawText(dice),
        mediaType: "text/plain",
        ownerId: null,
        updatedAt: new Date(),
        contentVersion: 1,
      };
      await database.withTenant(scope, "write", (transaction) => writeDocuments(transaction, [document]));
      const due = await nextShelfToMerge(database);
      if (due !== undefined) await mergeShelf(database, due);
    }
    await mergeShelf(database, shelf);
    return (await walOf(database, adminUrl)) - before;
  } finally {
    await database.close();
    await drop();
  }
}

/** Its only connection reports what it wrote at the end of a transaction, at most once a second. */
async function walOf(database: Database, adminUrl: string): Promise<number> {
  await sleep(1_100);
  await database.withDirectory(async () => {});
  return withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ bytes: number }>(
      `select (wal_bytes - wal_fpi * 8192)::float8 as bytes
       from pg_stat_activity as backend, pg_stat_get_backend_wal(backend.pid)
       where datname = current_database() and backend_type = 'client backend' and backend.pid <> pg_backend_pid()`,
    );
    const [row, ...others] = rows;
    if (!row || others.length > 0) throw new Error(`${rows.length} connections write, not one`);
    return row.bytes / 1_000 / size.written;
  });
}

async function turnPendingListsOff(adminUrl: string): Promise<void> {
  await withClient(adminUrl, (client) =>
    client.query(`
      do $$
      declare name text;
      begin
        for name in select indexname from pg_indexes where schemaname = 'app' and indexdef like '%fastupdate%' loop
          execute format('alter index app.%I set (fastupdate = off)', name);
        end loop;
      end $$`),
  );
}

type Load = Record<"put" | "put max" | "search" | "search p95" | "lost", number> & { kind: string };

async function measureLoad(
  kind: "pending list off" | "worker merges" | "no worker",
  database: SmallDatabase,
  folder: string,
): Promise<Load> {
  if (kind === "pending list off") await turnPendingListsOff(database.adminUrl);
  // The workspaces of the sample tenant come without a place, so that nothing in them would be found.
  await withClient(database.adminUrl, (client) =>
    client.query(`
      insert into app.search_place (tenant_id, id, workspace_id, parent_id, acl_scope_id, is_hidden)
      select tenant_id, id, id, null, id, false from app.workspace on conflict do nothing`),
  );
  const place = { folder, embedders: [] };
  await using api = await startApi({ ...place, databaseUrl: database.appUrl });
  await using _ =
    kind === "no worker"
      ? undefined
      : await startWorker({ ...place, databaseUrl: database.workerUrl, name: kind });
  const caller = await addFileCaller({ ...database, url: api.url });
  // Awaited here, while the processes run.
  return await underLoad(kind, api.url, caller, kind === "no worker" ? secondsWithoutWorker : seconds);
}

async function underLoad(kind: string, url: string, caller: FileCaller, forSeconds: number): Promise<Load> {
  using client = new HttpClient();
  const put = putOverExchange(client, url, caller);
  const dice = new Dice(3);
  const puts: number[] = [];
  const searches: number[] = [];
  const pending = new Set<Promise<void>>();
  const end = performance.now() + forSeconds * 1_000;
  let written = 0;
  const search = async (query: string, limit: number) => {
    const answer = await client.send(`${url}/api/v1/search`, {
      method: "POST",
      headers: { authorization: `Bearer ${caller.token}`, "content-type": "application/json" },
      body: JSON.stringify({ query, searchContent: true, limit }),
    });
    return JSON.parse(answer) as { total: { value: number } };
  };
  const searching = (async () => {
    while (performance.now() < end) {
      searches.push(await timed(() => search("batch7", 10)));
      await sleep(100);
    }
  })();
  for (let due = performance.now(); due < end; due += 1_000 / putsPerSecond) {
    await sleep(Math.max(0, due - performance.now()));
    const number = written;
    written += 1;
    const content = Buffer.from(`batch${Math.floor(number / 100)} ${drawText(dice)}`);
    const one = timed(() => put(`${kind.replaceAll(" ", "-")}-${number}.txt`, content))
      .then((millis) => void puts.push(millis))
      .finally(() => pending.delete(one));
    pending.add(one);
  }
  await Promise.all([...pending, searching]);
  let found = 0;
  for (let batch = 0; batch * 100 < written; batch += 1) {
    found += (await search(`"batch${batch}"`, 1)).total.value;
  }
  return {
    kind,
    put: median(puts),
    "put max": Math.max(...puts),
    search: median(searches),
    "search p95": quantile(searches, 0.95),
    lost: written - found,
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
