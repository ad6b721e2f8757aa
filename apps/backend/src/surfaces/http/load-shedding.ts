import underPressure from "@fastify/under-pressure";
import { ProblemError } from "@svc/protocol/problem";
import type { FastifyInstance } from "fastify";
import { HeldMemory, type MemoryReading, processMemory } from "./held-memory.ts";
import type { Limits } from "./limits.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Whether everything has been refused for a minute. */
    isStuckShedding(): boolean;
  }
  interface FastifyContextConfig {
    /** Option of under-pressure: what a route does instead of refusing the request. */
    pressureHandler?: () => void;
  }
}

const sampleMillis = 1_000;
/** A process that refuses everything for so long does not recover by itself. */
const mostSheddingMillis = 60_000;

export interface SheddingSenses {
  memory?: MemoryReading | undefined;
  /** Milliseconds. */
  now?: (() => number) | undefined;
}

/** For probes: a busy process is not broken, and a restart would only bring the whole load back. */
export const evenUnderPressure = { pressureHandler: () => {} };

/**
 * Refuses requests while the process is overloaded or shuts down: 503, with a time to retry. Says of how long it has done
 * so whether only a restart would help.
 */
export async function registerLoadShedding(
  app: FastifyInstance,
  { eventLoopDelayMillis, heldMemoryShare }: Pick<Limits, "eventLoopDelayMillis" | "heldMemoryShare">,
  { memory: reading = processMemory, now = () => performance.now() }: SheddingSenses = {},
): Promise<void> {
  const memory = heldMemoryShare > 0 ? new HeldMemory(heldMemoryShare, { reading, now }) : undefined;
  await app.register(underPressure, {
    maxEventLoopDelay: eventLoopDelayMillis,
    ...(memory && {
      healthCheck: async () => !memory.isShort(),
      healthCheckInterval: sampleMillis,
    }),
    retryAfter: 2,
    customError: class extends ProblemError {
      constructor() {
        super("unavailable", "The service is busy.", { hint: "Try again in a few seconds." });
      }
    },
  });

  let since: number | undefined;
  const look = () => {
    since = app.isUnderPressure() ? (since ?? now()) : undefined;
  };
  const sampling = setInterval(look, sampleMillis).unref();
  app.decorate("isStuckShedding", () => {
    look();
    return since !== undefined && now() - since >= mostSheddingMillis;
  });
  app.addHook("onClose", async () => {
    clearInterval(sampling);
    memory?.close();
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
