import type { Catalog, Command } from "../catalog.ts";
import { findCommand, lookUpCommand, noSuchCommand } from "./find-command.ts";

/** A line, as far as it can be read without knowing its command. */
export interface SplitLine {
  /** Path and positionals, as far as they can be told from values without knowing the command. */
  words: string[];
  /** Reserved flags among the words, each followed by its value. */
  flags: string[];
  /** The rest, from the first flag that only its command can read. */
  rest: readonly string[];
}

/** The commands to explain, or undefined if the line is a call. */
export function askedForHelp<Context>(
  catalog: Catalog<Context>,
  { words, flags, rest }: SplitLine,
): Command<Context>[] | undefined {
  const [first, second] = words;
  if (first === "help") return commandsAt(catalog, words.slice(1));
  if (second === "help" && catalog.groups.includes(first ?? "")) {
    return commandsAt(catalog, words.toSpliced(1, 1));
  }
  if (words.at(-1) === "help" && rest.length === 0) {
    const found = lookUpCommand(catalog, words.slice(0, -1));
    if (found && isComplete(found.command, found.behind)) return [found.command];
  }
  const isFlagged = flags.includes("--help") || flags.includes("-h");
  const isEmpty = words.length === 0 && rest.length === 0;
  if (isEmpty) return [...catalog.commands];
  return isFlagged ? commandsAt(catalog, words) : undefined;
}

/**
 * Whether `help` behind these words is a question: the command lacks nothing. Behind the words of a positional that
 * repeats it is one more of them: `search query how to get help`, `files copy /a /b help`.
 */
function isComplete<Context>({ specs }: Command<Context>, behind: readonly string[]): boolean {
  const positionals = specs.filter(({ position }) => position !== undefined);
  if (behind.length > 0 && positionals.some(({ repeatable }) => repeatable)) return false;
  return behind.length >= positionals.filter(({ required }) => required).length;
}

function commandsAt<Context>(catalog: Catalog<Context>, path: readonly string[]): Command<Context>[] {
  const [group = "", name = ""] = path;
  if (path.length === 0) return [...catalog.commands];
  if (path.length === 1 && catalog.groups.includes(group)) return catalog.inGroup(group);
  const { command, near } = findCommand(catalog, path, []);
  if (near) throw noSuchCommand(catalog, group, name);
  return [command];
}
