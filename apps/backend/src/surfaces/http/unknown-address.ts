import { ProblemError } from "@svc/protocol/problem";
import type { FastifyInstance } from "fastify";

/** 405 where the address exists for other methods, 404 where it does not. Before any route: it watches them come. */
export function registerUnknownAddress(app: FastifyInstance): void {
  const known: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook("onRoute", ({ url, method }) => {
    known.push({ pattern: new RegExp(`^${url.replace(/:\w+/g, "[^/]+")}$`), methods: [method].flat() });
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?")[0] ?? "";
    const allowed = known.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    if (allowed.length === 0) {
      throw new ProblemError("not_found", `There is nothing at ${request.method} ${path}.`);
    }
    reply.header("allow", allowed.join(", "));
    throw new ProblemError("method_not_allowed", `${path} takes ${allowed.join(", ")}.`);
  });
}
