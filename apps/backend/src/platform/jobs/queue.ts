import { EventEmitter } from "node:events";
import { loadFeatureModules } from "@svc/command-router/feature-modules";
import type { Database } from "@svc/database/database";
import { Logger, parseCronItems, type Runner, run, type TaskList, type WorkerEvents } from "graphile-worker";
import { sql } from "kysely";
import { BlobCollection } from "../blobs/blob-collection.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { JobSettings } from "../process/config.ts";
import type { Log } from "../process/log.ts";
import type { Embedders } from "../search/embedders.ts";
import type { Staging } from "../uploads/staging.ts";
import type { JobContext, JobDefinition } from "./define-job.ts";
import { keepListenerAwake } from "./keep-listener-awake.ts";
import { openQueuePool } from "./open-queue-pool.ts";

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

/**
 * Runs jobs and their schedules; creates the queue's tables at the first start. Any number of workers: graphile-worker
 * hands each job to one.
 */
export async function startQueue({
  databaseUrl,
  databaseSilenceMillis,
  database,
  featuresFolder,
  search,
  embedders,
  settings,
  blobStore,
  staging,
  log,
}: QueueParts): Promise<Runner> {
  const jobs = await loadJobs(featuresFolder);
  const sweepExpired = (batch: number) =>
    database.withDirectory(async (db) => {
      const { rows } = await sql<{ swept: number }>`select app.sweep_expired(${batch}) as swept`.execute(db);
      return rows[0]?.swept ?? 0;
    });
  const blobCollection = new BlobCollection(database);
  const taskList: TaskList = Object.fromEntries(
    [...jobs].map(([name, job]) => [
      name,
      async (_payload, { abortSignal }) => {
        const context: JobContext = {
          sweepExpired,
          blobCollection,
          blobStore,
          staging,
          database,
          search,
          embedders,
          settings,
          log: log.child({ job: name }),
          now: new Date(),
          signal: abortSignal,
        };
        await job.run(context);
      },
    ]),
  );
  const pool = openQueuePool({ databaseUrl, databaseSilenceMillis, log });
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
  return {
    ...runner,
    stop: async () => {
      // Lanes that wait for a database that is down would never stop.
      pool.stopWaiting();
      await runner.stop();
      await pool.end();
    },
  };
}

/** `features/operations/jobs/sweep-expired.ts` is the job `operations:sweep-expired`. */
async function loadJobs(featuresFolder: string): Promise<Map<string, JobDefinition>> {
  const modules = await loadFeatureModules<JobDefinition>(featuresFolder, "jobs");
  return new Map(modules.map(({ feature, name, definition }) => [`${feature}:${name}`, definition]));
}

const levels = { error: "error", warning: "warn", info: "debug", debug: "trace" } as const;

/** Its "info" level logs every job; we do that ourselves. */
function toQueueLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => log[levels[level]](meta ?? {}, message));
}
