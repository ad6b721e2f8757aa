import { ProblemError } from "@svc/protocol/problem";
import { inLine } from "./arguments/batch-lines.ts";
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

type Runnable = Pick<CommandFacts, "path" | "agents" | "scopes" | "holdsLines">;

/**
 * The only check of scopes and of what AI members never run. Every way to a command goes through it: dispatch, previews,
 * undo and upload requests.
 */
export function requireMayRun(command: Runnable, runner: Runner): void {
  requireScopes(command.scopes, runner.scopes);
  // Of a batch, each line has to be among them.
  if (!command.holdsLines) requireAmong(command, runner.commands);
  // guard: left-to-people
  if (command.agents === "never" && isAi(runner)) throw leftToPeople(command.path);
}

interface Running extends Runner {
  command: Runnable;
  /** Lines that it holds. */
  parts?: (() => readonly { number: number; command: Runnable }[]) | undefined;
}

/** The command of a call, and of each line that it holds. */
export function requireMayRunAll(call: Running): void {
  requireMayRun(call.command, call);
  for (const part of call.parts?.() ?? []) {
    // guard: parts-are-commands
    inLine(part.number, part.command.path, () => requireMayRun(part.command, call));
  }
}

export function mayRun(command: Runnable, runner: Runner): boolean {
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
  if (!commands || isAmong(path, commands)) return;
  throw new ProblemError("not_permitted", `This session cannot run \`svc ${path}\`.`, {
    hint: `It can run ${commands.map((one) => `\`svc ${one}\``).join(", ")}.`,
  });
}

/** By its path, or by its group. */
export function isAmong(path: string, names: readonly string[]): boolean {
  return names.some((name) => path === name || path.startsWith(`${name} `));
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
