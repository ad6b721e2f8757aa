import { loadCatalog } from "@svc/command-router/catalog";
import { Database } from "@svc/database/database";
import { BudgetedQueryVectors } from "../features/search/finding/candidates/budgeted-query-vectors.ts";
import { openBlobStore } from "../platform/blobs/open-blob-store.ts";
import { AccessSubjects } from "../platform/commands/access-subjects.ts";
import type { CommandContext } from "../platform/commands/command-context.ts";
import { Listeners } from "../platform/commands/listeners.ts";
import { CompletionSources } from "../platform/completions/completion-sources.ts";
import { Liveness } from "../platform/health/liveness.ts";
import { processReadiness } from "../platform/health/process-readiness.ts";
import { authenticators } from "../platform/identity/authenticators.ts";
import { readHttpConfig, readOrExit } from "../platform/process/config.ts";
import { featuresFolder } from "../platform/process/features-folder.ts";
import { createLog } from "../platform/process/log.ts";
import { Metrics } from "../platform/process/metrics.ts";
import { stopOnSignal } from "../platform/process/shutdown.ts";
import { Embedders } from "../platform/search/embedders.ts";
import { RecallCanary } from "../platform/search/recall-canary.ts";
import { Search } from "../platform/search/search.ts";
import { SearchSources } from "../platform/search/search-source.ts";
import { confinedOrExit } from "../platform/text/confined-or-exit.ts";
import { Staging } from "../platform/uploads/staging.ts";
import { TransferTickets } from "../platform/uploads/transfer-ticket.ts";
import { listenOrExit } from "../surfaces/http/listen-or-exit.ts";
import { createMetricsServer } from "../surfaces/http/metrics-server.ts";
import { createServer } from "../surfaces/server.ts";

/** Longer than three attempts at the longest transaction (`transaction_timeout` of svc_app). */
const slotLimitMillis = 240_000;

const config = readOrExit(readHttpConfig);
const log = createLog(config);
const metrics = new Metrics();
await confinedOrExit({ isRequired: config.requireConfinement, metrics, log });
const database = new Database({
  url: config.databaseUrl,
  maxConnections: config.databaseConnections,
  silenceMillis: config.databaseSilenceMillis,
  onIdleError: (error) => log.warn({ err: error }, "a database connection broke"),
});
metrics.watchPool(() => database.usage);
const embedders = await Embedders.load(config.embedders);
const blobStore = openBlobStore(config);
const staging = new Staging(config.blobFolder, config.staging);

const server = await createServer({
  config,
  database,
  catalog: await loadCatalog<CommandContext>(featuresFolder),
  listeners: await Listeners.load(featuresFolder),
  accessSubjects: await AccessSubjects.load(featuresFolder),
  completionSources: await CompletionSources.load(featuresFolder),
  search: new Search({
    sources: await SearchSources.load(featuresFolder),
    queryVectors: new BudgetedQueryVectors(database, embedders),
    recallCanary: new RecallCanary(metrics),
  }),
  blobStore,
  staging,
  tickets: new TransferTickets(config.signingSecret, () => database.clock()),
  ...authenticators(database, config.identityProvider, log),
  liveness: new Liveness(database, slotLimitMillis),
  readiness: processReadiness({ database, blobStore, staging, embedders, log }),
  metrics,
  log,
});
const metricsServer = createMetricsServer(metrics);

// The API last: from then on this process is found ready.
await listenOrExit(metricsServer, {
  host: config.metricsHost,
  port: config.metricsPort,
  settings: "SVC_METRICS_HOST and SVC_METRICS_PORT",
});
await listenOrExit(server, { host: config.host, port: config.port, settings: "SVC_HOST and SVC_PORT" });
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
