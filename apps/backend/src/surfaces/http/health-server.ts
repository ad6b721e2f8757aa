import Fastify, { type FastifyInstance } from "fastify";
import { registerHealth } from "./health.ts";

/** For processes that serve nothing else. */
export function createHealthServer(parts: Parameters<typeof registerHealth>[1]): FastifyInstance {
  const app = Fastify({ return503OnClosing: false });
  registerHealth(app, parts);
  return app;
}
