import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { type } from "../../bench/file-caller.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { startWorker } from "../../bench/processes/worker-process.ts";
import { atMost, type Bar, type Report } from "../../bench/report.ts";
import { seedSampleTenant } from "../../bench/scale-data/sample-tenant.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { is503, isFailed } from "../../bench/survival/answer-log.ts";
import { type Account, Callers } from "../../bench/survival/callers.ts";
import { countKept } from "../../bench/survival/count-kept.ts";
import { withClient } from "../../bench/with-client.ts";
import { startCell, until, untilWhole } from "../cell.ts";
import { cellUrl, throughPooler } from "../cell-layout.ts";
import { type CellEvent, cellEvents } from "./cell-events.ts";

const load = { writers: 6, readers: 2 };
/** To the pooler they are cheap, and one tenant may use a third of them: its callers must not queue for each other. */
const connections = "40";
const warmUpMillis = 3_000;
/** After the first write succeeded: callers who were refused come back. */
const coolDownMillis = 3_000;
const patienceMillis = 90_000;

interface Observed {
  row: Record<string, string | number>;
  bars: Bar[];
}

/**
 * Drives real processes on the cell, loses its parts one after the other, and judges what callers saw. A word limits it
 * to the events that have it in their name.
 */
export async function proveCell(named = ""): Promise<Report> {
  const events = cellEvents.filter(({ name }) => name.includes(named));
  if (events.length === 0) {
    throw new Error(
      `No event has "${named}" in its name. There are: ${cellEvents.map(({ name }) => name).join("; ")}.`,
    );
  }
  await startCell();
  // Everything that is created below is created on the cell.
  process.env.DATABASE_URL = cellUrl;
  await using folder = await createScratchFolder();
  // Otherwise a commit waits for no standby, and a failover loses what was acknowledged.
  const database = await createTestDatabase({ isLikeProduction: true });
  try {
    const token = seedSampleTenant(database.adminUrl, join(folder.path, "token"));
    await using api = await startApi({
      databaseUrl: throughPooler(database.appUrl),
      folder: folder.path,
      environment: { SVC_DATABASE_CONNECTIONS: connections },
    });
    await using worker = await startWorker({
      databaseUrl: database.workerUrl,
      folder: folder.path,
      embedders: [],
    });
    const account = { url: () => api.url, token, workspace: "prove" };
    await type({ url: api.url, token }, `workspaces create ${account.workspace}`);
    const observed: Observed[] = [];
    for (const event of events) {
      console.error(event.name);
      observed.push(await observe(event, database, account));
      worker.requireAlive();
    }
    return {
      tables: [
        {
          title: `${load.writers} writers and ${load.readers} readers, each write repeated with its key until 200`,
          rows: observed.map(({ row }) => row),
        },
      ],
      bars: observed.flatMap(({ bars }) => bars),
    };
  } finally {
    await database.drop();
  }
}

async function observe(event: CellEvent, database: TestDatabase, account: Account): Promise<Observed> {
  await untilWhole();
  const callers = new Callers(account, load);
  await sleep(warmUpMillis);
  const start = performance.now();
  const bringBack = await event.happen(database.adminUrl);
  const happened = performance.now();
  // Not a write that was on its way: its commit may have succeeded just before.
  const isWriting = () =>
    callers.log
      .after(happened)
      .some(({ kind, status, sentAt }) => kind === "write" && status === 200 && sentAt > happened);
  while (!isWriting() && performance.now() < happened + patienceMillis) await sleep(100);
  await sleep(coolDownMillis);
  const end = performance.now();
  await bringBack();
  await callers.stop();
  const rejoined = await untilWhole();
  const jobSeconds = await runJob(database.adminUrl);

  const answers = callers.log.after(start);
  const refused = answers.filter(is503);
  const noWriteFor = callers.log.longestSecondsWithoutWrite(start, end);
  const first503 = callers.log.secondsToFirst503(start);
  const slowest503 = Math.max(0, ...refused.map(({ sentAt, answeredAt }) => answeredAt - sentAt)) / 1_000;
  const others = answers.filter(isFailed).length - refused.length;
  const silent = refused.filter(({ hasRetryAfter }) => !hasRetryAfter).length;
  const { lost, doubled } = await countKept(database.adminUrl, callers.acknowledged);
  return {
    row: {
      event: event.name,
      "no write for s": noWriteFor,
      "first 503 after s": first503,
      "slowest 503 took s": slowest503,
      "answers 503": refused.length,
      "without Retry-After": silent,
      "other failures": others,
      acknowledged: callers.acknowledged.length,
      lost,
      doubled,
      "whole again after s": rejoined,
      "job done after s": jobSeconds,
    },
    bars: [
      atMost(`${event.name}: seconds until a write succeeds`, noWriteFor, event.maxSeconds),
      atMost(`${event.name}: acknowledged writes lost or doubled`, lost + doubled, 0),
      ...(event.isPlanned
        ? [atMost(`${event.name}: failed requests`, refused.length + others, 0)]
        : [
            atMost(`${event.name}: seconds to the first 503`, first503, 6),
            atMost(`${event.name}: 503 without Retry-After`, silent, 0),
            atMost(`${event.name}: failures that are not 503`, others, 0),
          ]),
    ],
  };
}

/** The worker lives through the event if it runs what is queued afterwards. */
async function runJob(adminUrl: string): Promise<number> {
  return withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      "select id from graphile_worker.add_job('embeddings:run')",
    );
    return until("the worker to run a job", async () => {
      const { rowCount } = await client.query("select from graphile_worker.jobs where id = $1", [
        rows[0]?.id,
      ]);
      return rowCount === 0;
    });
  });
}
