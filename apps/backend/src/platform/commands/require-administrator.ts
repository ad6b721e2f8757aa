import { ProblemError } from "@svc/protocol/problem";
import type { CommandContext } from "./command-context.ts";

/** Only for the tenant's administrators, who count as owners of each of its workspaces. */
export function requireAdministrator({ actor }: CommandContext): void {
  if (actor.isAdministrator) return;
  throw notAdministrator();
}

export function notAdministrator(): ProblemError {
  return new ProblemError("not_permitted", "Only an administrator of the tenant can do this.");
}
