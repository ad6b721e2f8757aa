import { PooledConnection } from "@svc/database/connections/require-direct-connection";
import { Database } from "@svc/database/database";
import { openBlobStore } from "../platform/blobs/open-blob-store.ts";
import { Liveness } from "../platform/health/liveness.ts";
import { processReadiness } from "../platform/health/process-readiness.ts";
import { queueCheck } from "../platform/health/queue-check.ts";
import { queueNumbers } from "../platform/health/queue-numbers.ts";
import { waitForSchema } from "../platform/health/wait-for-schema.ts";
import { type QueueParts, startQueue } from "../platform/jobs/queue.ts";
import { QueueWatch } from "../platform/jobs/queue-watch.ts";
import { readOrExit, readWorkerConfig } from "../platform/process/config.ts";
import { featuresFolder } from "../platform/process/features-folder.ts";
import { createLog } from "../platform/process/log.ts";
import { Metrics } from "../platform/process/metrics.ts";
import { stopOnSignal } from "../platform/process/shutdown.ts";
import { Embedders } from "../platform/search/embedders.ts";
import { SearchSources } from "../platform/search/search-source.ts";
import { confinedOrExit } from "../platform/text/confined-or-exit.ts";
import { Staging } from "../platform/uploads/staging.ts";
import { createHealthServer } from "../surfaces/http/health-server.ts";
import { listenOrExit } from "../surfaces/http/listen-or-exit.ts";
import { createMetricsServer } from "../surfaces/http/metrics-server.ts";

/** Jobs work in batches of seconds; no transaction of theirs takes this long. */
const slotLimitMillis = 3_600_000;

const config = readOrExit(readWorkerConfig);
const log = createLog(config);
const metrics = new Metrics();
await confinedOrExit({ isRequired: config.requireConfinement, metrics, log });
const database = new Database({
  url: config.databaseUrl,
  // Fewer than there are lanes: a turn that waits for a model or a reader holds none.
  maxConnections: 10,
  silenceMillis: config.databaseSilenceMillis,
  onIdleError: (error) => log.warn({ err: error }, "a database connection broke"),
});
const embedders = await Embedders.load(config.embedders);
const blobStore = openBlobStore(config);
const staging = new Staging(config.blobFolder, config.staging);

// Before the queue, which waits for the database: until it has started, this process says why it is not ready.
let watch: QueueWatch | undefined;
const readiness = processReadiness({ database, blobStore, staging, embedders, log }, [
  queueCheck(() => watch, config.queueStuckSeconds),
]);
metrics.watchPool(() => database.usage);
metrics.watchQueue(queueNumbers(() => watch));
const healthServer = createHealthServer({ liveness: new Liveness(database, slotLimitMillis), readiness });
const metricsServer = createMetricsServer(metrics);
await listenOrExit(metricsServer, {
  host: config.metricsHost,
  port: config.metricsPort,
  settings: "SVC_METRICS_HOST and SVC_WORKER_METRICS_PORT",
});
await listenOrExit(healthServer, {
  host: config.healthHost,
  port: config.healthPort,
  settings: "SVC_HEALTH_HOST and SVC_HEALTH_PORT",
});
log.info({ health: healthServer.addresses(), metrics: metricsServer.addresses() }, "listening");

await waitForSchema(database, log);
const queue = await startQueueOrExit({
  databaseUrl: config.databaseUrl,
  databaseSilenceMillis: config.databaseSilenceMillis,
  database,
  featuresFolder,
  search: { sources: await SearchSources.load(featuresFolder) },
  embedders,
  settings: config.jobs,
  blobStore,
  staging,
  log,
});
watch = new QueueWatch(database, queue, log);
log.info("working");

/** Behind a pooler it does not start, and a stack would not help. */
function startQueueOrExit(parts: QueueParts) {
  return startQueue(parts).catch((error: unknown) => {
    if (!(error instanceof PooledConnection)) throw error;
    log.fatal(error.message);
    process.exit(1);
  });
}

let isStopping = false;
const endWithQueue = (error?: unknown) => {
  if (isStopping) return;
  log.fatal({ err: error }, "the queue has ended, and with it this process");
  process.exit(1);
};
queue.promise.then(() => endWithQueue(), endWithQueue);
stopOnSignal(log, async () => {
  isStopping = true;
  readiness.stop();
  await queue.stop();
  await healthServer.close();
  await metricsServer.close();
  await embedders.close();
  await database.close();
});
