import type { FastifyInstance } from "fastify";
import type { Platform } from "../../platform/commands/platform.ts";
import { ShortCache } from "../../platform/identity/short-cache.ts";
import { evenUnderPressure } from "./load-shedding.ts";

/** /healthz: this process runs. /readyz: it can serve, so send it traffic. */
export function registerHealth(app: FastifyInstance, { database }: Pick<Platform, "database">): void {
  // The database is asked at most once a second.
  const pings = new ShortCache<boolean>(1_000);
  const ping = () =>
    database.ping().then(
      () => true,
      () => false,
    );
  app.get("/healthz", { config: { ...evenUnderPressure, isProbe: true } }, async () => ({ status: "ok" }));
  app.get("/readyz", { config: { isProbe: true } }, async (_request, reply) => {
    const isReady = await pings.get("database", ping);
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ready" : "not ready" });
  });
}
