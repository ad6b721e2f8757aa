import { loadCatalog } from "@svc/command-router/catalog";
import { Database } from "@svc/database/database";
import { BudgetedQueryVectors } from "../features/search/budgeted-query-vectors.ts";
import { accessTokenCheck } from "../platform/access-token-check.ts";
import { authenticator } from "../platform/authenticate.ts";
import { openBlobStore } from "../platform/blobs/open-blob-store.ts";
import type { CommandContext } from "../platform/command-context.ts";
import { readHttpConfig, readOrExit } from "../platform/config.ts";
import { Embedders } from "../platform/embedders.ts";
import { featuresFolder } from "../platform/features-folder.ts";
import { Listeners } from "../platform/listeners.ts";
import { createLog } from "../platform/log.ts";
import { Metrics } from "../platform/metrics.ts";
import { SearchSources } from "../platform/search-source.ts";
import { serviceTokenCheck } from "../platform/service-token-check.ts";
import { stopOnSignal } from "../platform/shutdown.ts";
import { Staging } from "../platform/staging.ts";
import { TransferTickets } from "../platform/transfer-ticket.ts";
import { createMetricsServer } from "../surfaces/metrics-server.ts";
import { createServer } from "../surfaces/server.ts";

const config = readOrExit(readHttpConfig);
const log = createLog(config);
const database = new Database({
  url: config.databaseUrl,
  maxConnections: config.databaseConnections,
  onIdleError: (error) => log.warn({ err: error }, "a database connection broke"),
});
const metrics = new Metrics();
metrics.watchPool(() => database.usage);
const embedders = await Embedders.load(config.embedders);

const server = await createServer({
  config,
  database,
  catalog: await loadCatalog<CommandContext>(featuresFolder),
  listeners: await Listeners.load(featuresFolder),
  searchSources: await SearchSources.load(featuresFolder),
  queryVectors: new BudgetedQueryVectors(database, embedders),
  blobStore: openBlobStore(config),
  staging: new Staging(config.blobFolder, config.staging),
  tickets: new TransferTickets(config.signingSecret),
  authenticate: authenticator([
    serviceTokenCheck(database, log),
    ...(config.identityProvider ? [accessTokenCheck(database, config.identityProvider, log)] : []),
  ]),
  metrics,
  log,
});
const metricsServer = createMetricsServer(metrics);

await server.listen({ host: config.host, port: config.port });
await metricsServer.listen({ host: config.metricsHost, port: config.metricsPort });
if (config.identityProvider?.clients === "any") {
  log.warn("SVC_OIDC_CLIENTS is *: access tokens of every client of the identity provider are accepted");
}
log.info({ addresses: server.addresses(), metrics: metricsServer.addresses() }, "listening");

stopOnSignal(log, async () => {
  await server.close();
  await metricsServer.close();
  await database.close();
  await embedders.close();
});
