import Fastify, { type FastifyInstance } from "fastify";
import type { Metrics } from "../../platform/process/metrics.ts";

/** On a separate port, so that the public one never exposes it. */
export function createMetricsServer({ registry }: Metrics): FastifyInstance {
  const app = Fastify();
  app.get("/metrics", async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
  return app;
}
