import type { Next } from "@svc/protocol/next";
import type { ProblemError } from "@svc/protocol/problem";
import { commandMeant } from "../arguments/command-meant.ts";
import type { CommandFacts } from "../catalog.ts";
import { toolName } from "../help/tool.ts";
import { isRecord } from "./correct-arguments.ts";
import { nextAfter, type Surroundings } from "./next-call.ts";

/**
 * What to call after JSON that is not a call: under a name that no command has, with arguments beside `arguments`, or
 * with a control of another type.
 */
export function nextOfBody(
  error: ProblemError,
  { name, body }: { name: string; body: unknown },
  around: Surroundings,
): Next | undefined {
  const found = commandNamed(name, around.commands);
  if (!found || !isRecord(body)) return undefined;
  const { arguments: inner = {}, workspace, ...beside } = body;
  if (!isRecord(inner)) return undefined;
  const call = {
    ...found,
    arguments: { ...withoutControls(beside), ...inner },
    workspace: typeof workspace === "string" ? workspace : undefined,
    isReworded: true,
  };
  return nextAfter(error, call, around);
}

/** By its path, with any sign between its words, or by what is nearest. */
function commandNamed(
  name: string,
  commands: readonly CommandFacts[],
): { command: CommandFacts; isGuess: boolean } | undefined {
  const words = name.replace(/^svc /, "").split(/[ /_.]+/);
  const exact = commands.find((one) => one.path === words.join(" ") || toolName(one) === name);
  if (exact) return { command: exact, isGuess: false };
  const meant = commandMeant(commands, words);
  return meant?.words === words.length ? { command: meant.command, isGuess: !meant.isSlip } : undefined;
}

function withoutControls({ command: _, confirm: __, dryRun: ___, ...others }: Record<string, unknown>) {
  return others;
}
