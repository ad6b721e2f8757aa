import underPressure from "@fastify/under-pressure";
import { ProblemError } from "@svc/protocol/problem";
import type { FastifyInstance } from "fastify";
import type { Limits } from "./limits.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Option of under-pressure: what a route does instead of refusing the request. */
    pressureHandler?: () => void;
  }
}

/** For probes: a busy process is not broken, and a restart would only bring the whole load back. */
export const evenUnderPressure = { pressureHandler: () => {} };

/** Refuses requests while the process is overloaded or shuts down: 503, with a time to retry. */
export async function registerLoadShedding(
  app: FastifyInstance,
  { eventLoopDelayMillis, rssBytes }: Limits,
): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: eventLoopDelayMillis,
    maxRssBytes: rssBytes,
    retryAfter: 2,
    customError: class extends ProblemError {
      constructor() {
        super("unavailable", "The service is busy.", { hint: "Try again in a few seconds." });
      }
    },
  });

  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  // Otherwise connections would stay open after their last request, and keep the process alive.
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (closing) reply.header("connection", "close");
    done();
  });
  app.addHook("onResponse", (_request, _reply, done) => {
    if (closing) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
  // On connections that are already open; the system refuses new ones.
  app.addHook("onRequest", (request, reply, done) => {
    if (!closing || request.routeOptions.config.isProbe) return done();
    reply.header("retry-after", 1);
    done(new ProblemError("unavailable", "This process is shutting down.", { hint: "Try again now." }));
  });
}
