import { naming } from "@svc/command-router/arguments/value-kind";
import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { requirePrincipal } from "./principals.ts";
import { requireOwnership, type Subject } from "./subject.ts";

export const Grantee = z
  .string()
  .min(1)
  .max(320)
  .meta(naming("person", "group"))
  .describe("E-mail address, name or id of a person, service account or group; or everyone");

/**
 * Somebody in the tenant, or everyone in the workspace, whose entry has the workspace's own id. Only an owner of the
 * subject learns whether such a person exists.
 */
export async function requireGrantee(
  context: CommandContext,
  subject: Subject,
  person: string,
  find: typeof requirePrincipal,
): Promise<{ id: string; name: string }> {
  // guard: ownership-before-lookup
  requireOwnership(subject);
  if (person !== "everyone") return find(context, person);
  if (subject.kind !== "workspace") {
    return { id: subject.workspaceId, name: `everyone in ${subject.workspaceName}` };
  }
  throw new ProblemError("usage", "A workspace already includes everyone who has an entry.");
}
