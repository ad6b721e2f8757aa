import { randomUUID } from "node:crypto";
import { headers } from "@svc/protocol/headers";
import Fastify, { type FastifyInstance, LogController } from "fastify";
import { RefusalLog } from "../platform/audit/refusal-log.ts";
import type { Platform } from "../platform/commands/platform.ts";
import type { CompletionSources } from "../platform/completions/completion-sources.ts";
import type { Liveness } from "../platform/health/liveness.ts";
import type { Readiness } from "../platform/health/readiness.ts";
import type { Authenticate } from "../platform/identity/authenticate.ts";
import { DeferredWrites } from "../platform/jobs/deferred-writes.ts";
import type { HttpConfig } from "../platform/process/config.ts";
import type { Log } from "../platform/process/log.ts";
import type { Metrics } from "../platform/process/metrics.ts";
import { minimumClient } from "../platform/process/version.ts";
import type { Staging } from "../platform/uploads/staging.ts";
import type { TransferTickets } from "../platform/uploads/transfer-ticket.ts";
import type { CommandParts } from "./calls/answer-command.ts";
import { registerCallerContext } from "./calls/caller-context.ts";
import { registerCli } from "./calls/cli.ts";
import { registerCommandRoutes } from "./calls/command-routes.ts";
import { Commits } from "./calls/commits.ts";
import { registerManifest } from "./calls/manifest.ts";
import { registerOpenApi } from "./calls/openapi.ts";
import { registerSkill } from "./calls/skill.ts";
import { TakeOver } from "./calls/take-over.ts";
import { demoPaths } from "./demo/demo-openapi.ts";
import { registerDemo } from "./demo/register-demo.ts";
import { demoPath } from "./demo/visitor-cookie.ts";
import { registerAuthentication } from "./http/authentication.ts";
import { registerHealth } from "./http/health.ts";
import type { MemoryReading } from "./http/held-memory.ts";
import { defaultLimits, type Limits } from "./http/limits.ts";
import { registerLoadShedding } from "./http/load-shedding.ts";
import { answerMalformedRequest } from "./http/malformed-request.ts";
import { answerProblem, maxBodyBytes } from "./http/problem-answer.ts";
import { ProblemReports } from "./http/problem-reports.ts";
import { registerRateLimits } from "./http/rate-limits.ts";
import { requestIds } from "./http/request-context.ts";
import { registerUnknownAddress } from "./http/unknown-address.ts";
import { registerMcp } from "./mcp/mcp.ts";
import { agentChallenge, registerProtectedResource } from "./mcp/protected-resource.ts";
import { registerDownloads } from "./transfers/downloads.ts";
import { registerTransfers } from "./transfers/transfers.ts";
import { UploadShares } from "./transfers/upload-shares.ts";

export interface ServerParts extends Omit<Platform, "deferredWrites" | "refusals"> {
  config: Pick<HttpConfig, "rate" | "trustedProxies" | "demo" | "identityProvider">;
  authenticate: Authenticate;
  /** At POST /mcp. */
  authenticateAgent: Authenticate;
  completionSources: CompletionSources;
  staging: Staging;
  tickets: TransferTickets;
  liveness: Liveness;
  readiness: Readiness;
  metrics: Metrics;
  log: Log;
  limits?: Partial<Limits>;
  /** Milliseconds, for rate limits and load shedding; those of this process if absent. */
  now?: () => number;
  /** Of this process if absent. */
  memory?: MemoryReading;
}

/** All routes and what they share. It names no commands; these come from the catalog. */
export async function createServer(given: ServerParts): Promise<FastifyInstance> {
  const deferredWrites = new DeferredWrites(given.database, given.log);
  const refusals = new RefusalLog(given.log);
  const limits = { ...defaultLimits, ...given.limits };
  const uploadShares = new UploadShares(limits);
  const commits = new Commits(given.log);
  const parts = { ...given, deferredWrites, refusals, limits, uploadShares, commits };
  const app = Fastify({
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    // Ours alone: two calls of a caller, or of two, would look like one.
    // guard: callers-choose-no-id
    genReqId: () => randomUUID(),
    childLoggerFactory: (logger, bindings, options, { headers: sent, url }) =>
      logger.child({ ...bindings, ...callerRequestId(sent[headers.requestId], url) }, options),
    trustProxy: (_address, hop) => hop < parts.config.trustedProxies,
    bodyLimit: maxBodyBytes,
    // A connection must not fall silent. How long a whole request can take depends on its route: uploads and downloads
    // can take hours (hence no requestTimeout, which applies to all), others must be answered within handlerTimeout.
    connectionTimeout: 60_000,
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    handlerTimeout: parts.limits.bodyMillis + parts.limits.commandMillis,
    forceCloseConnections: "idle",
    // Refused in load-shedding.ts, in our words.
    return503OnClosing: false,
    frameworkErrors: answerProblem,
    clientErrorHandler: answerMalformedRequest,
    // A signed address of an upload or download is one long path segment.
    routerOptions: { maxParamLength: 8_192 },
    // Our schemas refuse unknown fields, in our words; ajv is not used.
    ajv: { customOptions: { removeAdditional: false } },
  }) as unknown as FastifyInstance;

  const problemReports = new ProblemReports(parts);
  app.decorate("problemReports", problemReports);
  addHooks(app, parts);
  const takeOver = new TakeOver(parts);
  app.addHook("preClose", async () => {
    await takeOver.close();
    commits.close();
  });
  app.addHook("onClose", async () => {
    await commits.ended();
    await Promise.all([deferredWrites.flush(), refusals.flush()]);
    problemReports.flush();
  });
  // For the log: a process that starts before its database is migrated says what it waits for.
  app.addHook("onListen", async () => void (await parts.readiness.report()));
  app.setErrorHandler(answerProblem);
  await registerLoadShedding(app, parts.limits, parts);
  await registerRateLimits(app, parts.config.rate, parts.now);
  registerUnknownAddress(app);
  registerHealth(app, parts);
  registerOpenApi(app, parts, parts.config.demo ? demoPaths(parts) : {});
  registerSkill(app, parts);
  registerAuthentication(app, parts, (authenticated) => {
    registerCli(authenticated, parts);
    registerCommandRoutes(authenticated, parts);
    registerCallerContext(authenticated, parts);
    registerManifest(authenticated, parts);
    registerTransfers(authenticated, parts);
    registerDownloads(authenticated, parts);
  });
  registerAgents(app, parts);
  if (parts.config.demo) registerDemo(app, parts, parts.config.demo);
  return app;
}

function registerAgents(app: FastifyInstance, parts: ServerParts & CommandParts): void {
  const { issuer, agentAudience } = parts.config.identityProvider ?? {};
  const resource = issuer && agentAudience ? { issuer, resource: agentAudience } : undefined;
  const challenge = resource && agentChallenge(resource, parts.catalog);
  if (resource) registerProtectedResource(app, resource, parts.catalog);
  registerAuthentication(
    app,
    { authenticate: parts.authenticateAgent, ...(challenge && { challenge }) },
    (authenticated) => registerMcp(authenticated, parts, resource && new URL(resource.resource).hostname),
  );
}

function addHooks(app: FastifyInstance, { metrics, log }: ServerParts): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { callerRequestId: sent } = callerRequestId(request.headers[headers.requestId], request.url);
    if (sent !== undefined) request.callerRequestId = sent;
    reply
      .headers(securityHeaders)
      .header(headers.requestId, request.id)
      .header(headers.minimumClient, minimumClient);
    if (request.headers["x-tenant-id"] !== undefined) {
      request.log.warn("X-Tenant-Id was sent and is ignored: the tenant comes from the credential");
    }
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime);
    const level = route === "/healthz" || route === "/readyz" ? "debug" : "info";
    log[level](
      {
        ...requestIds(request),
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        tenant: request.caller?.tenant.id,
        actor: request.caller?.actor.id,
        command: request.commandPath,
        ...request.problem,
      },
      "answered",
    );
    done();
  });
}

/** We serve programs, never pages: nothing may be loaded, framed, sniffed or read from another origin. */
const securityHeaders = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
};

/** What the caller calls this request, to find it in our log. Visitors of the demo leave no word behind, not even here. */
function callerRequestId(sent: string | string[] | undefined, url = ""): { callerRequestId?: string } {
  // guard: visitors-choose-no-id
  if (url.startsWith(demoPath)) return {};
  return typeof sent === "string" && /^[\w-]{8,64}$/.test(sent) ? { callerRequestId: sent } : {};
}
