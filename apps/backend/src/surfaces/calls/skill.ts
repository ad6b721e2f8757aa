import { skillText } from "@svc/command-router/help/skill-text";
import type { FastifyInstance } from "fastify";
import type { Platform } from "../../platform/commands/platform.ts";

/** GET /SKILL.md is what `svc help --skill` prints, GET /llms.txt leads to it. Anybody may read them: they hold no data. */
export function registerSkill(app: FastifyInstance, { catalog }: Pick<Platform, "catalog">): void {
  const skill = skillText(catalog.commands);
  app.get("/SKILL.md", async (_request, reply) => reply.type("text/markdown; charset=utf-8").send(skill));
  app.get("/llms.txt", async (_request, reply) => reply.type("text/plain; charset=utf-8").send(llmsText));
}

/** See llmstxt.org. */
const llmsText = `\
# svc

> Files, records, workspaces and search, by one set of commands for people, programs and agents.

Every command needs a credential; it decides what you can see.

## Documentation

- [SKILL.md](/SKILL.md): how to use the command line program svc; also \`svc help --skill\`
- [OpenAPI](/openapi.json): the same commands over HTTP
- /mcp: the same commands as tools, by the Model Context Protocol
`;
