import type { FastifyInstance } from "fastify";
import type { Platform } from "../platform/run-command.ts";
import { ShortCache } from "../platform/short-cache.ts";
import { evenUnderPressure } from "./load-shedding.ts";

/** /healthz: this process runs. /readyz: it can serve, so send it traffic. */
export function registerHealth(app: FastifyInstance, { database }: Pick<Platform, "database">): void {
  // Anybody may ask, as often as he likes; the database is asked once a second.
  const pings = new ShortCache<boolean>(1_000);
  const ping = () =>
    database.ping().then(
      () => true,
      () => false,
    );
  app.get("/healthz", evenUnderPressure, async () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const isReady = await pings.get("database", ping);
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ready" : "not ready" });
  });
}
