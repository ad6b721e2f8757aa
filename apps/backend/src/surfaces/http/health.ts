import type { FastifyInstance } from "fastify";
import type { Liveness, LivenessReport } from "../../platform/health/liveness.ts";
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
    const report = isStuckShedding(app) ? stuckShedding : liveness.report();
    return reply.code(report.status === "ok" ? 200 : 503).send(report);
  });
  app.get("/readyz", { config }, async (_request, reply) => {
    const report = isOverloaded(app) ? overloaded : await readiness.report();
    return reply.code(report.status === "ready" ? 200 : 503).send(report);
  });
}

const stuckShedding: LivenessReport = { status: "stuck", reason: "overloaded" };
const overloaded: ReadinessReport = { status: "not ready", reason: "overloaded" };

function isStuckShedding(app: FastifyInstance): boolean {
  // guard: restarted-after-a-minute
  return app.hasDecorator("isStuckShedding") && app.isStuckShedding();
}

function isOverloaded(app: FastifyInstance): boolean {
  return app.hasDecorator("isUnderPressure") && app.isUnderPressure();
}
