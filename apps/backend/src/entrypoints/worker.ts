import { PooledConnection } from "@svc/database/connections/require-direct-connection";
import { Database } from "@svc/database/database";
import { openBlobStore } from "../platform/blobs/open-blob-store.ts";
import { waitForSchema } from "../platform/health/wait-for-schema.ts";
import { type QueueParts, startQueue } from "../platform/jobs/queue.ts";
import { readOrExit, readWorkerConfig } from "../platform/process/config.ts";
import { featuresFolder } from "../platform/process/features-folder.ts";
import { createLog } from "../platform/process/log.ts";
import { stopOnSignal } from "../platform/process/shutdown.ts";
import { Embedders } from "../platform/search/embedders.ts";
import { SearchSources } from "../platform/search/search-source.ts";
import { Staging } from "../platform/uploads/staging.ts";

const config = readOrExit(readWorkerConfig);
const log = createLog(config);
const database = new Database({
  url: config.databaseUrl,
  // Fewer than there are lanes: a turn that waits for a model or a reader holds none.
  maxConnections: 10,
  silenceMillis: config.databaseSilenceMillis,
  onIdleError: (error) => log.warn({ err: error }, "a database connection broke"),
});
const embedders = await Embedders.load(config.embedders);
await waitForSchema(database, log);
const runner = await startQueueOrExit({
  databaseUrl: config.databaseUrl,
  databaseSilenceMillis: config.databaseSilenceMillis,
  database,
  featuresFolder,
  search: { sources: await SearchSources.load(featuresFolder) },
  embedders,
  settings: config.jobs,
  blobStore: openBlobStore(config),
  staging: new Staging(config.blobFolder, config.staging),
  log,
});
log.info("working");

/** Behind a pooler it does not start, and a stack would not help. */
function startQueueOrExit(parts: QueueParts) {
  return startQueue(parts).catch((error: unknown) => {
    if (!(error instanceof PooledConnection)) throw error;
    log.fatal(error.message);
    process.exit(1);
  });
}

stopOnSignal(log, async () => {
  await runner.stop();
  await embedders.close();
  await database.close();
});
