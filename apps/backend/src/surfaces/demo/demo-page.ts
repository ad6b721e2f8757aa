import { readFileSync } from "node:fs";
import type { Command } from "@svc/command-router/catalog";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";

/** Its own files and answers, and nothing else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const files = [
  { url: "/demo", file: "demo.html", type: "text/html; charset=utf-8" },
  { url: "/demo/demo.css", file: "demo.css", type: "text/css; charset=utf-8" },
  { url: "/demo/demo.js", file: "demo.js", type: "text/javascript; charset=utf-8" },
];

type Route = NonNullable<Command<CommandContext>["routes"]>[number];

/** GET /demo: one page, one style sheet, one script. */
export function registerDemoPage(app: FastifyInstance, search: Route): void {
  const fields = escaped(JSON.stringify(choicesOf(search.body)));
  for (const { url, file, type } of files) {
    const body = readFileSync(new URL(`page/${file}`, import.meta.url), "utf8").replace("{{fields}}", fields);
    app.get(url, async (_request, reply) =>
      reply.headers({ "content-security-policy": policy, "cache-control": "no-cache" }).type(type).send(body),
    );
  }
}

/** The orders that a search knows, from its own schema. */
function choicesOf(body: z.ZodType): { sort: unknown } {
  const { properties = {} } = z.toJSONSchema(body, { io: "input", unrepresentable: "any" });
  const { sort } = properties as Record<string, z.core.JSONSchema.BaseSchema | undefined>;
  return { sort: sort?.enum ?? [] };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
