import type { FastifyInstance } from "fastify";
import { DemoVisitors } from "../../features/demo/demo.ts";
import type { DemoSettings } from "../../platform/process/config.ts";
import { DemoLimits } from "./demo-limits.ts";
import { registerDemoPage } from "./demo-page.ts";
import type { DemoParts } from "./demo-parts.ts";
import { registerDemoRoutes, searchRoute } from "./demo-routes.ts";

/** The public demo. Without its setting none of these addresses exists. */
export function registerDemo(
  app: FastifyInstance,
  parts: Omit<DemoParts, "visitors" | "demoLimits">,
  settings: DemoSettings,
): void {
  const visitors = new DemoVisitors(parts.database, { most: settings.visitors });
  const demoLimits = new DemoLimits(app, settings);
  registerDemoRoutes(app, { ...parts, visitors, demoLimits });
  registerDemoPage(app, searchRoute(parts).route);
}
