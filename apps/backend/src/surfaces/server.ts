import { randomUUID } from "node:crypto";
import helmet from "@fastify/helmet";
import underPressure from "@fastify/under-pressure";
import { databaseFailure } from "@svc/database/database-failure";
import { headers } from "@svc/protocol/headers";
import { ProblemError, problemMediaType } from "@svc/protocol/problem";
import Fastify, { type FastifyError, type FastifyInstance, LogController } from "fastify";
import type { Authenticate } from "../platform/authenticate.ts";
import type { HttpConfig } from "../platform/config.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Platform } from "../platform/run-command.ts";
import type { Staging } from "../platform/staging.ts";
import type { TransferTickets } from "../platform/transfer-ticket.ts";
import { minimumClient } from "../platform/version.ts";
import { registerAuthentication } from "./authentication.ts";
import { registerCallerContext } from "./caller-context.ts";
import { registerCli } from "./cli.ts";
import { registerCommandRoutes } from "./command-routes.ts";
import { registerHealth } from "./health.ts";
import { registerManifest } from "./manifest.ts";
import { registerOpenApi } from "./openapi.ts";
import { limitRate, registerRateLimits } from "./rate-limits.ts";
import { registerTransfers } from "./transfers.ts";

export interface ServerParts extends Platform {
  config: Pick<HttpConfig, "rate" | "trustedProxies">;
  authenticate: Authenticate;
  staging: Staging;
  tickets: TransferTickets;
  metrics: Metrics;
  log: Log;
}

const maxBodyBytes = 1024 * 1024;

/** All routes, with what every one of them shares. Names no command: those come with the catalog. */
export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers: sent }) => acceptableRequestId(sent[headers.requestId]) ?? randomUUID(),
    trustProxy: (_address, hop) => hop < parts.config.trustedProxies,
    bodyLimit: maxBodyBytes,
    // Sockets: headers and body must arrive in time. Handlers: an answer must leave in time.
    connectionTimeout: 60_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    handlerTimeout: 30_000,
    forceCloseConnections: "idle",
    // A signed address of an upload or download is one long path segment.
    routerOptions: { maxParamLength: 8_192 },
    // What is not known is refused by our schemas, with our words; ajv is not asked.
    ajv: { customOptions: { removeAdditional: false } },
  }) as unknown as FastifyInstance;

  await app.register(helmet, { contentSecurityPolicy: { directives: { defaultSrc: ["'none'"] } } });
  await app.register(underPressure, {
    maxEventLoopDelay: 1_000,
    maxRssBytes: 2 * 1024 ** 3,
    retryAfter: 2,
    customError: class extends ProblemError {
      constructor() {
        super("unavailable", "The service is busy.", { hint: "Try again in a few seconds." });
      }
    },
  });
  await registerRateLimits(app, parts.config.rate);
  addHooks(app, parts);
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const problem = toProblemError(error);
    if (problem.code === "internal") request.log.error({ err: error }, "unexpected error");
    void reply
      .code(problem.toProblem(request.id).status)
      .type(problemMediaType)
      .send(problem.toProblem(request.id));
  });
  app.setNotFoundHandler({ preHandler: limitRate("address") }, (request) => {
    throw new ProblemError(
      "not_found",
      `There is nothing at ${request.method} ${request.url.split("?")[0]}.`,
    );
  });

  registerHealth(app, parts);
  registerOpenApi(app, parts);
  registerAuthentication(app, parts, (authenticated) => {
    registerCli(authenticated, parts);
    registerCommandRoutes(authenticated, parts);
    registerCallerContext(authenticated, parts);
    registerManifest(authenticated, parts);
    registerTransfers(authenticated, parts);
  });
  return app;
}

function addHooks(app: FastifyInstance, { metrics, log }: ServerParts): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.header(headers.requestId, request.id).header(headers.minimumClient, minimumClient);
    if (request.headers["x-tenant-id"] !== undefined) {
      request.log.warn("X-Tenant-Id was sent and is ignored: the tenant comes from the credential");
    }
  });
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime);
    const level = route === "/healthz" || route === "/readyz" ? "debug" : "info";
    log[level](
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        tenant: request.caller?.tenant.id,
        actor: request.caller?.actor.id,
        command: request.commandPath,
      },
      "answered",
    );
  });
}

const codesOfFastify: Record<string, ConstructorParameters<typeof ProblemError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ["too_large", `A request may have at most ${maxBodyBytes} bytes.`],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type", "Send application/json."],
  FST_ERR_HANDLER_TIMEOUT: ["timeout", "The command took too long and was given up."],
};

/** Whatever was thrown, as one of the errors in the table. No stack, SQL or path gets through. */
export function toProblemError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const { code = "", statusCode } = error as Partial<FastifyError>;
  const known = codesOfFastify[code];
  if (known) return new ProblemError(...known);
  if (code.startsWith("FST_") && statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ProblemError("invalid_request", "The request is not well formed.");
  }
  const failure = databaseFailure(error);
  if (failure === "timeout") return new ProblemError("timeout", "The database took too long.");
  if (failure === "unavailable") {
    return new ProblemError("unavailable", "The database cannot be reached.", {
      hint: "Try again in a moment.",
    });
  }
  return new ProblemError("internal", "Something went wrong on our side.", {
    hint: "The request id finds it in the service's log.",
    cause: error,
  });
}

function acceptableRequestId(sent: string | string[] | undefined): string | undefined {
  return typeof sent === "string" && /^[\w-]{8,64}$/.test(sent) ? sent : undefined;
}
