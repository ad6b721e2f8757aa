import type { Completion } from "@svc/protocol/completion";
import type { ArgumentLine } from "../arguments/read-argument-line.ts";
import type { ReservedFlag } from "../arguments/reserved-flags.ts";
import type { CommandFacts } from "../catalog.ts";
import { hasPages } from "../page-limits.ts";

type Facts = Pick<CommandFacts, "specs" | "effect">;

/** `--json`, `--results` and `--skill` go with help, and programs type them. */
const reservedMeanings: Record<
  Exclude<ReservedFlag, "json" | "results" | "skill">,
  { meaning: string; fits: (command: Facts | undefined) => boolean }
> = {
  all: { meaning: "Show every page", fits: (command) => command !== undefined && hasPages(command) },
  "dry-run": { meaning: "Show what would change", fits: (command) => changes(command) },
  confirm: { meaning: "Go ahead: true, or the token of a preview", fits: (command) => changes(command) },
  help: { meaning: "Explain it", fits: () => true },
  workspace: { meaning: "Work in this workspace", fits: () => true },
};

/** The flags that can still be given. */
export function flagsOf(
  command: Facts | undefined,
  values: ArgumentLine["values"],
  reserved: ArgumentLine["reserved"],
  typed: string,
): Completion[] {
  const own = (command?.specs ?? [])
    .filter(({ position, deprecation }) => position === undefined && deprecation === undefined)
    .filter(({ name, repeatable }) => repeatable || !Object.hasOwn(values, name))
    .map(({ flag, description }) => ({ word: `--${flag}`, meaning: description }));
  const common = Object.entries(reservedMeanings)
    .filter(([flag, { fits }]) => fits(command) && !Object.hasOwn(reserved, flag))
    .map(([flag, { meaning }]) => ({ word: `--${flag}`, meaning }));
  return [...own, ...common].filter(({ word }) => word.startsWith(typed));
}

function changes(command: Facts | undefined): boolean {
  return command !== undefined && command.effect !== "read";
}
