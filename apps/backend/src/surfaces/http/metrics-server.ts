import Fastify, { type FastifyInstance } from "fastify";
import type { Metrics } from "../../platform/process/metrics.ts";

/** On a port of its own, so that the public one never shows it. */
export function createMetricsServer({ registry }: Metrics): FastifyInstance {
  const app = Fastify();
  app.get("/metrics", async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
  return app;
}
