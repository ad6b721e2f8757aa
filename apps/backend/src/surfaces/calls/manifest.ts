import { createHash } from "node:crypto";
import { helpTree } from "@svc/command-router/help/help-tree";
import type { FastifyInstance } from "fastify";
import type { Platform } from "../../platform/commands/platform.ts";

/** GET /api/v1/commands: the whole help tree, built once; a client that already has it gets 304. */
export function registerManifest(app: FastifyInstance, { catalog }: Pick<Platform, "catalog">): void {
  const body = JSON.stringify(helpTree(catalog.commands));
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  app.get("/api/v1/commands", async (request, reply) => {
    reply.header("etag", etag).header("cache-control", "private, no-cache");
    // Also accepts a list, and a weak tag from a proxy that compressed it.
    if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
    return reply.type("application/json").send(body);
  });
}
