import { ProblemError } from "@svc/protocol/problem";
import type { FastifyInstance } from "fastify";

/**
 * 405 if the address exists for other methods, 404 if it does not. Registered before any route, so that it sees all of
 * them.
 */
export function registerUnknownAddress(app: FastifyInstance): void {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook("onRoute", ({ url, method }) => {
    // It answers 404 itself.
    if (url.endsWith("*")) return;
    routes.push({ pattern: new RegExp(`^${url.replace(/:\w+/g, "[^/]+")}$`), methods: [method].flat() });
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?")[0] ?? "";
    const allowed = routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    if (allowed.length === 0) {
      throw new ProblemError("not_found", `${request.method} ${path} does not exist.`);
    }
    reply.header("allow", allowed.join(", "));
    throw new ProblemError("method_not_allowed", `${path} accepts ${allowed.join(", ")}.`);
  });
}
