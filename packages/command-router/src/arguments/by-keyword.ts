import type { Command } from "../catalog.ts";

/** A hint with more would be a list. */
const mostHinted = 3;

/** For a word that commands are also called by: `upload` is `files put`. */
export function hintByKeyword<Context>(
  commands: readonly Command<Context>[],
  typed: string,
): string | undefined {
  const lines = commands
    .filter(({ keywords = [] }) => keywords.includes(typed.toLowerCase()))
    .slice(0, mostHinted)
    .map(({ path }) => `\`svc ${path}\``);
  return lines.length === 0 ? undefined : `Did you mean ${lines.join(" or ")}?`;
}
