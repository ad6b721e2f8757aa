import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../platform/command-context.ts";
import { requirePrincipal } from "../members/members.ts";
import type { Subject } from "./subject.ts";

export const Grantee = z
  .string()
  .min(1)
  .max(320)
  .describe("E-mail address, name or id of a person, service account or group; or everyone");

/** Somebody of the tenant, or everyone who is in the workspace: their entry has the workspace's own id. */
export async function requireGrantee(
  context: CommandContext,
  subject: Subject,
  person: string,
): Promise<{ id: string; name: string }> {
  if (person !== "everyone") return requirePrincipal(context, person);
  if (subject.kind !== "workspace") {
    return { id: subject.workspaceId, name: `everyone in ${subject.workspaceName}` };
  }
  throw new ProblemError("usage", "Everyone in a workspace is who has an entry there already.");
}
