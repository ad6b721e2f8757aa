import { Database } from "@svc/database/database";
import type { TestDatabase } from "@svc/testing/test-database";
import { waitUntil } from "@svc/testing/wait-until";
import pg from "pg";
import { pino } from "pino";
import { expect } from "vitest";
import type { JobContext, JobDefinition } from "../src/platform/jobs/define-job.ts";
import type { Turn, TurnsDefinition } from "../src/platform/jobs/define-turns.ts";
import { Lanes } from "../src/platform/jobs/lanes.ts";
import { featuresFolder } from "../src/platform/process/features-folder.ts";
import { Embedders } from "../src/platform/search/embedders.ts";
import { SearchSources } from "../src/platform/search/search-source.ts";
import type { TestBackend } from "./test-backend.ts";

/** The worker context of a job on a test database, as svc_worker. */
export async function withWorker<T>(
  backend: TestBackend,
  work: (context: JobContext) => Promise<T>,
  options: {
    settings?: Partial<JobContext["settings"]>;
    signal?: AbortSignal;
    embedders?: Embedders;
    now?: Date;
  } = {},
): Promise<T> {
  const database = new Database({ url: backend.testDatabase.workerUrl, maxConnections: 3 });
  try {
    return await work({
      database,
      blobStore: backend.blobStore,
      staging: backend.staging,
      search: { sources: await SearchSources.load(featuresFolder) },
      embedders: options.embedders ?? new Embedders([]),
      settings: {
        reindexPause: 0,
        shelfDocuments: 50_000,
        embeddingCron: "0 3 * * 0",
        embeddingSpread: 9,
        ...options.settings,
      },
      log: pino({ level: "silent" }),
      now: options.now ?? (await database.clock())(),
      machineTime: new Date(),
      signal: options.signal,
    } as Partial<JobContext> as JobContext);
  } finally {
    await database.close();
  }
}

export function runJob(
  backend: TestBackend,
  job: JobDefinition,
  options?: Parameters<typeof withWorker>[2],
): Promise<void> {
  return withWorker(backend, (context) => job.run(context), options);
}

/** Takes all turns there are, in as many lanes as a worker process has. */
export function runTurns(
  backend: TestBackend,
  { lanes: count, claim }: TurnsDefinition,
  options?: Parameters<typeof withWorker>[2],
): Promise<void> {
  const inProgress = new Set<Turn>();
  let claims = 0;
  const { promise: isIdle, resolve: becomeIdle, reject: fail } = Promise.withResolvers<void>();
  const watched: TurnsDefinition = {
    lanes: count,
    async claim(context, served) {
      claims += 1;
      // A worker would try again for ever; a test says what went wrong.
      const turn = await claim(context, served).catch((error: unknown) => {
        fail(error);
        throw error;
      });
      claims -= 1;
      // Another lane may be about to get what this one did not.
      if (!turn && inProgress.size === 0 && claims === 0) becomeIdle();
      if (!turn) return undefined;
      inProgress.add(turn);
      return { ...turn, take: () => turn.take().finally(() => inProgress.delete(turn)) };
    },
  };
  return withWorker(
    backend,
    async (context) => {
      const lanes = new Lanes(watched, (signal) => ({ ...context, signal }), { idleMillis: 20 });
      await isIdle;
      await lanes.stop();
    },
    options,
  );
}

/** On the same database, bypassing every policy, to see all rows and to write what nobody else could. */
export async function asAdmin<T>(
  { backend }: { backend: TestBackend },
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const admin = new pg.Client({ connectionString: backend.testDatabase.adminUrl });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

/**
 * Until a connection of the test database waits for a lock that another one holds, or until `work` has ended, which
 * should have waited: its test then fails at once.
 */
export async function untilBlocked(
  { adminUrl }: Pick<TestDatabase, "adminUrl">,
  work?: Promise<unknown>,
): Promise<void> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work?.then(end, end);
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  const blocked =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  try {
    await waitUntil(async () => {
      if (!isOver) expect((await admin.query(blocked)).rowCount).toBeGreaterThan(0);
    });
  } finally {
    await admin.end();
  }
}
