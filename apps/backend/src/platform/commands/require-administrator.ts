import { ProblemError } from "@svc/protocol/problem";
import type { CommandContext } from "./command-context.ts";

/** The tenant's administrators, who count as owner of each of its workspaces. */
export function requireAdministrator({ actor }: CommandContext): void {
  if (actor.isAdministrator) return;
  throw notAdministrator();
}

export function notAdministrator(): ProblemError {
  return new ProblemError("not_permitted", "Only an administrator of the tenant may do this.");
}
