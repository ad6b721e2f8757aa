import type { FastifyInstance } from "fastify";
import type { Platform } from "../platform/run-command.ts";

/** /healthz: this process runs. /readyz: it can serve, so send it traffic; not while it shuts down. */
export function registerHealth(app: FastifyInstance, { database }: Pick<Platform, "database">): void {
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const isReady =
      !closing &&
      (await database.ping().then(
        () => true,
        () => false,
      ));
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ready" : "not ready" });
  });
}
