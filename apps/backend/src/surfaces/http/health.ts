import type { FastifyInstance } from "fastify";
import type { Liveness } from "../../platform/health/liveness.ts";
import type { Readiness, ReadinessReport } from "../../platform/health/readiness.ts";
import { evenUnderPressure } from "./load-shedding.ts";

const config = { ...evenUnderPressure, isProbe: true };

/** /healthz: this process runs; restart it otherwise. /readyz: it can do its work; send it none otherwise. */
export function registerHealth(
  app: FastifyInstance,
  { liveness, readiness }: { liveness: Liveness; readiness: Readiness },
): void {
  app.addHook("preClose", async () => readiness.stop());
  app.get("/healthz", { config }, async (_request, reply) => {
    const report = liveness.report();
    return reply.code(report.status === "ok" ? 200 : 503).send(report);
  });
  app.get("/readyz", { config }, async (_request, reply) => {
    const report = isOverloaded(app) ? overloaded : await readiness.report();
    return reply.code(report.status === "ready" ? 200 : 503).send(report);
  });
}

const overloaded: ReadinessReport = { status: "not ready", reason: "overloaded" };

function isOverloaded(app: FastifyInstance): boolean {
  return app.hasDecorator("isUnderPressure") && app.isUnderPressure();
}
