import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { Subject } from "./subject.ts";

interface Told {
  subject: string;
  items?: { from: string }[];
  reasons?: { from: string }[];
}

/** The result for programs. People read the paths of another workspace with that workspace. */
export function showSubject<Result extends Told>(
  context: CommandContext,
  { kind, name, typed }: Pick<Subject, "kind" | "name" | "typed">,
  result: Result,
): Result {
  const isPath = kind === "file" || kind === "folder";
  if (!context.isForPeople || !isPath || name === typed) return result;
  const prefix = typed.slice(0, -name.length);
  // A list is that of a folder, by path, or of the workspace, by name.
  const withPrefix = <Each extends { from: string }>(each: Each) =>
    each.from.startsWith("/") ? { ...each, from: `${prefix}${each.from}` } : each;
  const data = {
    ...result,
    subject: typed,
    ...(result.items ? { items: result.items.map(withPrefix) } : {}),
    ...(result.reasons ? { reasons: result.reasons.map(withPrefix) } : {}),
  };
  context.showPeople({ data, prefix });
  return result;
}
