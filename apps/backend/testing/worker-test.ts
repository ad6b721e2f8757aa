import { Database } from "@svc/database/database";
import pg from "pg";
import { pino } from "pino";
import type { JobContext, JobDefinition } from "../src/platform/jobs/define-job.ts";
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
        ...options.settings,
      },
      log: pino({ level: "silent" }),
      now: options.now ?? new Date(),
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
