import { ProblemError } from "@svc/protocol/problem";
import type { CommandFacts } from "./catalog.ts";
import type { ActorKind } from "./command.ts";

/** What decides whether a caller may run a command at all, before anybody looks at arguments or rights. */
export interface Runner {
  actorKind: ActorKind;
  /** The call has a session ticket: an AI member is at work, even if the credential belongs to a person. */
  inSession: boolean;
  scopes: readonly string[];
}

/**
 * The only check of scopes and of what AI members must leave to people. Every way to a command goes through it:
 * dispatch, previews, undo and upload requests.
 */
export function requireMayRun(
  command: Pick<CommandFacts, "path" | "effect" | "affects" | "scopes">,
  runner: Runner,
): void {
  requireScopes(command.scopes, runner.scopes);
  // guard: left-to-people
  if (runner.actorKind === "ai" || runner.inSession) requireLeftToAi(command);
}

function requireScopes(needed: readonly string[], held: readonly string[]): void {
  // guard: scopes-are-held
  if (held.includes("*")) return;
  const missing = needed.filter((scope) => !held.includes(scope));
  if (missing.length === 0) return;
  throw new ProblemError("not_permitted", `This credential lacks the scope ${missing.join(", ")}.`, {
    hint: "An administrator can issue a token that has it.",
  });
}

/** A preview would not help: an AI member confirms its own, so a token proves nothing about a person's consent. */
function requireLeftToAi({ path, effect, affects }: Pick<CommandFacts, "path" | "effect" | "affects">): void {
  const forbidden = effect === "destroy" ? "delete anything for good" : affects && `change ${affects}`;
  if (forbidden === undefined) return;
  throw new ProblemError("not_permitted", `AI members cannot ${forbidden}.`, {
    hint: `Ask a person to run \`svc ${path}\`.`,
  });
}
