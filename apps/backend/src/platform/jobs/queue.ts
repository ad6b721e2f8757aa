import { EventEmitter } from "node:events";
import { loadFeatureModules } from "@svc/command-router/feature-modules";
import type { PatientPool } from "@svc/database/connections/patient-pool";
import { requireDirectConnection } from "@svc/database/connections/require-direct-connection";
import type { Database } from "@svc/database/database";
import {
  Logger,
  parseCronItems,
  type Runner,
  run,
  type Task,
  type TaskList,
  type WorkerEvents,
} from "graphile-worker";
import { sql } from "kysely";
import { BlobCollection } from "../blobs/blob-collection.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { JobSettings } from "../process/config.ts";
import type { Log } from "../process/log.ts";
import type { Embedders } from "../search/embedders.ts";
import type { Staging } from "../uploads/staging.ts";
import type { JobContext, JobDefinition } from "./define-job.ts";
import type { TurnsDefinition } from "./define-turns.ts";
import { keepListenerAwake } from "./keep-listener-awake.ts";
import { Lanes } from "./lanes.ts";
import { openQueuePool } from "./open-queue-pool.ts";
import type { WatchedQueue } from "./queue-watch.ts";

export interface QueueParts {
  databaseUrl: string;
  /** See `PoolOptions.silenceMillis`. */
  databaseSilenceMillis: number;
  database: Database;
  featuresFolder: string;
  search: JobContext["search"];
  embedders: Embedders;
  settings: JobSettings;
  blobStore: BlobStore;
  staging: Staging;
  log: Log;
}

export interface Queue extends Runner, WatchedQueue {}

/**
 * Runs jobs and their schedules, and takes turns; creates the queue's tables at the first start. Any number of workers:
 * graphile-worker hands each job to one of them, and each takes turns in its own lanes.
 */
export async function startQueue(parts: QueueParts): Promise<Queue> {
  const { databaseUrl, databaseSilenceMillis, featuresFolder, log } = parts;
  const jobs = await loadByName<JobDefinition>(featuresFolder, "jobs");
  const turns = await loadByName<TurnsDefinition>(featuresFolder, "turns");
  const contextOf = contextsFrom(parts);
  const lanes = new Map<string, Lanes>();
  const taskList: TaskList = Object.fromEntries([
    ...[...jobs].map(([name, job]): [string, Task] => [
      name,
      async (_payload, { abortSignal }) => {
        const clock = await parts.database.clock();
        await job.run(contextOf(name, abortSignal, clock()));
      },
    ]),
    // For those who do not want to wait until the lanes look again.
    ...[...turns.keys()].map((name): [string, Task] => [name, async () => lanes.get(name)?.wake()]),
  ]);
  const pool = openQueuePool({ databaseUrl, databaseSilenceMillis, log });
  await requireDirect(pool);
  const events: WorkerEvents = new EventEmitter();
  keepListenerAwake(events);
  const runner = await run({
    pgPool: pool,
    events,
    taskList,
    parsedCronItems: parseCronItems(
      [...jobs].map(([task, { cron }]) => ({ task, match: cron, identifier: task })),
    ),
    concurrency: 2,
    noHandleSignals: true,
    logger: toQueueLogger(log),
  });
  for (const [name, { atStart }] of jobs) {
    // One job for all workers that start together.
    if (atStart) await runner.addJob(name, {}, { jobKey: `${name} at start` });
  }
  const clock = await parts.database.clock();
  for (const [name, definition] of turns) {
    lanes.set(name, new Lanes(definition, (signal) => contextOf(name, signal, clock())));
  }
  return {
    ...runner,
    tasks: Object.keys(taskList),
    schedules: [...jobs.keys()],
    stop: async () => {
      // What waits for a database that is down would never stop.
      pool.stopWaiting();
      await Promise.all([runner.stop(), ...[...lanes.values()].map((some) => some.stop())]);
      await pool.end();
    },
  };
}

/** Otherwise it would listen in vain. */
async function requireDirect(pool: PatientPool): Promise<void> {
  const client = await pool.connect();
  try {
    await requireDirectConnection(client);
  } finally {
    client.release();
  }
}

/** What a job or a turn gets, made anew for each. */
function contextsFrom(
  parts: QueueParts,
): (name: string, signal: AbortSignal | undefined, now: Date) => JobContext {
  const { database, search, embedders, settings, blobStore, staging, log } = parts;
  const blobCollection = new BlobCollection(database);
  const sweepExpired = (batch: number) =>
    database.withDirectory(async (db) => {
      const { rows } = await sql<{ swept: number }>`select app.sweep_expired(${batch}) as swept`.execute(db);
      return rows[0]?.swept ?? 0;
    });
  return (name, signal, now) => ({
    sweepExpired,
    blobCollection,
    blobStore,
    staging,
    database,
    search,
    embedders,
    settings,
    log: log.child({ job: name }),
    now,
    machineTime: new Date(),
    signal,
  });
}

/** `features/operations/jobs/sweep-expired.ts` is `operations:sweep-expired`. */
async function loadByName<Definition extends object>(
  featuresFolder: string,
  kind: "jobs" | "turns",
): Promise<Map<string, Definition>> {
  const modules = await loadFeatureModules<Definition>(featuresFolder, kind);
  return new Map(modules.map(({ feature, name, definition }) => [`${feature}:${name}`, definition]));
}

const levels = { error: "error", warning: "warn", info: "debug", debug: "trace" } as const;

/** Its "info" level logs every job; we do that ourselves. */
function toQueueLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => log[levels[level]](meta ?? {}, message));
}
