import underPressure from "@fastify/under-pressure";
import { ProblemError } from "@svc/protocol/problem";
import type { FastifyInstance } from "fastify";
import type { Limits } from "./limits.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Of under-pressure: what a route does instead of turning the request away. */
    pressureHandler?: () => void;
  }
}

/** For /healthz: a process that is busy is not broken, and one that is restarted for it has the whole load again. */
export const evenUnderPressure = { pressureHandler: () => {} };

/** Turns requests away while the process is overloaded or shuts down: 503, and when to come back. */
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
  // Connections that answer their last request would be kept open for the next one, and the process with them.
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (closing) reply.header("connection", "close");
    done();
  });
  app.addHook("onResponse", (_request, _reply, done) => {
    if (closing) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
  // On connections that were open already; new ones are refused by the system.
  app.addHook("onRequest", (_request, reply, done) => {
    if (!closing) return done();
    reply.header("retry-after", 1);
    done(new ProblemError("unavailable", "This process is shutting down.", { hint: "Try again now." }));
  });
}
