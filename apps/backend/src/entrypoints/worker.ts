import { Database } from "@svc/database/database";
import { openBlobStore } from "../platform/blobs/open-blob-store.ts";
import { readOrExit, readWorkerConfig } from "../platform/config.ts";
import { Embedders } from "../platform/embedders.ts";
import { featuresFolder } from "../platform/features-folder.ts";
import { createLog } from "../platform/log.ts";
import { startQueue } from "../platform/queue.ts";
import { SearchSources } from "../platform/search-source.ts";
import { stopOnSignal } from "../platform/shutdown.ts";
import { Staging } from "../platform/staging.ts";

const config = readOrExit(readWorkerConfig);
const log = createLog(config);
const database = new Database({
  url: config.databaseUrl,
  maxConnections: 5,
  onIdleError: (error) => log.warn({ err: error }, "a database connection broke"),
});
const embedders = await Embedders.load(config.embedders);
const runner = await startQueue({
  databaseUrl: config.databaseUrl,
  database,
  featuresFolder,
  searchSources: await SearchSources.load(featuresFolder),
  embedders,
  settings: config.jobs,
  blobStore: openBlobStore(config),
  staging: new Staging(config.blobFolder, config.staging),
  log,
});
log.info("working");

stopOnSignal(log, async () => {
  await runner.stop();
  await embedders.close();
  await database.close();
});
