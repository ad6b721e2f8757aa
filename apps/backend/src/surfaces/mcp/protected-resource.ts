import type { Catalog } from "@svc/command-router/catalog";
import type { ProblemError } from "@svc/protocol/problem";
import type { FastifyInstance } from "fastify";
import { NoScopes } from "../../platform/identity/access-token-check.ts";

export interface ProtectedResource {
  /** The address of POST /mcp as agents know it, and the audience of their tokens. */
  resource: string;
  issuer: string;
}

const wellKnown = "/.well-known/oauth-protected-resource";

/** Where agents get a token, and for what (RFC 9728). Anybody may read it. */
export function registerProtectedResource(
  app: FastifyInstance,
  { resource, issuer }: ProtectedResource,
  catalog: Pick<Catalog, "commands">,
): void {
  const metadata = {
    resource,
    resource_name: "svc",
    authorization_servers: [issuer],
    scopes_supported: scopesOf(catalog, ["listed", "searchable"]),
    bearer_methods_supported: ["header"],
  };
  // With the path of the resource, as RFC 9728 asks; some clients look at the root.
  for (const path of new Set([wellKnown + new URL(resource).pathname, wellKnown])) {
    app.get(path, async () => metadata);
  }
}

/** What an agent without a usable token is told: where to ask, and for which scopes. */
export function agentChallenge(
  { resource }: ProtectedResource,
  catalog: Pick<Catalog, "commands">,
): (problem: ProblemError) => string | undefined {
  const { origin, pathname } = new URL(resource);
  const scope = scopesOf(catalog, ["listed"]).join(" ");
  const asked = `resource_metadata="${origin}${wellKnown}${pathname}", scope="${scope}"`;
  return (problem) => {
    if (problem.code === "unauthenticated") return `Bearer ${asked}`;
    return problem instanceof NoScopes ? `Bearer error="insufficient_scope", ${asked}` : undefined;
  };
}

function scopesOf({ commands }: Pick<Catalog, "commands">, agents: readonly string[]): string[] {
  const used = commands.filter((command) => agents.includes(command.agents));
  return [...new Set(used.flatMap(({ scopes }) => scopes))].sort();
}
