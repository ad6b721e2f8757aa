import { ProblemError } from "@svc/protocol/problem";
import type { CommandFacts } from "./catalog.ts";
import type { ActorKind } from "./command.ts";
import { isAi } from "./decide.ts";

/** What decides whether a caller may run a command at all, before anybody looks at arguments or rights. */
export interface Runner {
  actorKind: ActorKind;
  /** The call has a session ticket: an AI member is at work, even if the credential belongs to a person. */
  inSession: boolean;
  scopes: readonly string[];
  /** If given, only these commands or groups. */
  commands: readonly string[] | undefined;
}

/**
 * The only check of scopes and of what AI members never run. Every way to a command goes through it: dispatch, previews,
 * undo and upload requests.
 */
export function requireMayRun(
  command: Pick<CommandFacts, "path" | "agents" | "scopes" | "holdsLines">,
  runner: Runner,
): void {
  requireScopes(command.scopes, runner.scopes);
  // Of a batch, each line has to be among them.
  if (!command.holdsLines) requireAmong(command, runner.commands);
  // guard: left-to-people
  if (command.agents === "never" && isAi(runner)) throw leftToPeople(command.path);
}

export function mayRun(command: Parameters<typeof requireMayRun>[0], runner: Runner): boolean {
  try {
    requireMayRun(command, runner);
    return true;
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}

function requireAmong({ path }: Pick<CommandFacts, "path">, commands: readonly string[] | undefined): void {
  // guard: sessions-run-their-commands
  if (!commands || commands.some((one) => path === one || path.startsWith(`${one} `))) return;
  throw new ProblemError("not_permitted", `This session cannot run \`svc ${path}\`.`, {
    hint: `It can run ${commands.map((one) => `\`svc ${one}\``).join(", ")}.`,
  });
}

function requireScopes(needed: readonly string[], held: readonly string[]): void {
  const missing = missingScopes(needed, held);
  if (missing.length === 0) return;
  throw new ProblemError("not_permitted", `This credential lacks the scope ${missing.join(", ")}.`, {
    hint: "An administrator can issue a token that has it.",
  });
}

export function missingScopes(needed: readonly string[], held: readonly string[]): string[] {
  // guard: scopes-are-held
  if (held.includes("*")) return [];
  return needed.filter((scope) => !held.includes(scope));
}

/** Nor would an approval help: these commands set the limits that approvals are part of. */
export function leftToPeople(path: string, what: "run" | "undo" = "run"): ProblemError {
  return new ProblemError("not_permitted", `AI members cannot ${what} \`svc ${path}\`.`, {
    hint: `Ask a person to ${what} it.`,
  });
}
