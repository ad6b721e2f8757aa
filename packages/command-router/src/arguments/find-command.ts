import { ProblemError } from "@svc/protocol/problem";
import type { Catalog, Command } from "../catalog.ts";
import { hintByKeyword } from "./by-keyword.ts";
import { type CommandMeant, commandMeant } from "./command-meant.ts";
import { didYouMean, suggest } from "./suggest.ts";
import { echo } from "./usage-error.ts";

export interface FoundCommand<Context> {
  command: Command<Context>;
  /** The words after those that named it. */
  behind: readonly string[];
  /** A command that was perhaps meant: the first word behind a default command is close to it. */
  near?: Command<Context> | undefined;
}

/** By group and name, by its one word, by an alias, or as the default command of a group; undefined if none has these words. */
export function lookUpCommand<Context>(
  catalog: Catalog<Context>,
  words: readonly string[],
  rest: readonly string[] = [],
): FoundCommand<Context> | undefined {
  const [first = "", name] = words;
  const twoWords = catalog.find(`${first} ${name}`);
  if (twoWords) return { command: twoWords, behind: words.slice(2) };
  const oneWord = catalog.find(first) ?? catalog.findAlias(first);
  if (oneWord) return { command: oneWord, behind: words.slice(1) };
  const preset = catalog.defaultOf(first);
  if (!preset || (name === undefined && rest.length === 0)) return undefined;
  const near = name === undefined ? undefined : suggest(name, namesIn(catalog, first));
  return {
    command: preset,
    behind: words.slice(1),
    near: near === undefined ? undefined : catalog.find(`${first} ${near}`),
  };
}

export function findCommand<Context>(
  catalog: Catalog<Context>,
  words: readonly string[],
  rest: readonly string[],
): FoundCommand<Context> {
  const found = lookUpCommand(catalog, words, rest);
  if (found) return found;
  const [first, name] = words;
  if (first === undefined) {
    throw new ProblemError(
      "usage",
      `A line must begin with a command, not with \`${echo(rest[0] ?? "")}\`.`,
      {
        hint: "`svc help` lists all commands.",
      },
    );
  }
  if (!catalog.groups.includes(first)) {
    throw new ProblemError("usage", `There is no command \`${echo(first)}\`.`, {
      hint:
        hintByKeyword(catalog.commands, first) ??
        didYouMean(first, [...catalog.groups, ...catalog.aliases]).hint ??
        hintAt(commandMeant(catalog.commands, words)) ??
        "`svc help` lists all commands.",
    });
  }
  if (name === undefined) {
    const names = namesIn(catalog, first).join(", ");
    throw new ProblemError("usage", `\`${first}\` needs a command: ${names}.`, {
      hint: `\`svc ${first} help\` explains them.`,
    });
  }
  throw noSuchCommand(catalog, first, name);
}

export function noSuchCommand<Context>(catalog: Catalog<Context>, group: string, name: string): ProblemError {
  return new ProblemError("usage", `There is no command \`${group} ${echo(name)}\`.`, {
    hint:
      hintByKeyword(catalog.inGroup(group), name) ??
      didYouMean(name, namesIn(catalog, group)).hint ??
      hintAt(commandMeant(catalog.commands, [group, name])) ??
      `\`svc ${group} help\` lists the commands of this group.`,
  });
}

function hintAt(meant: CommandMeant<{ path: string }> | undefined): string | undefined {
  return meant && `Did you mean \`svc ${meant.command.path}\`?`;
}

function namesIn<Context>(catalog: Catalog<Context>, group: string): string[] {
  return catalog.inGroup(group).map((command) => command.name);
}
