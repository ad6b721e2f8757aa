import { ProblemError } from "@svc/protocol/problem";
import type { Catalog, Command } from "../catalog.ts";
import { readArgumentLine, type TypedWords } from "./read-argument-line.ts";
import { isReserved, reservedFlags } from "./reserved-flags.ts";
import { didYouMean } from "./suggest.ts";
import { echo, usageError } from "./usage-error.ts";

export type ParsedArgv<Context> =
  | { kind: "help"; commands: Command<Context>[]; json: boolean }
  | {
      kind: "call";
      command: Command<Context>;
      arguments: Record<string, unknown>;
      dryRun: boolean;
      confirm?: string | undefined;
      workspace?: string | undefined;
      notices: string[];
      words: TypedWords;
    };

/** `<group> <command> [--name value …]`, as typed. The client forwards; this is the only parser. */
export function parseArgv<Context>(catalog: Catalog<Context>, argv: readonly string[]): ParsedArgv<Context> {
  const { words, flags, rest, wordPlaces, flagPlaces } = splitLine(argv);
  const json = argv.includes("--json");
  const asked = askedForHelp(catalog, words, flags, rest);
  if (asked) return { kind: "help", commands: commandsAt(catalog, asked), json };

  const { command, behind } = findCommand(catalog, words, rest);
  const line = [...behind, ...flags, ...rest];
  const behindPlaces = wordPlaces.slice(words.length - behind.length);
  const places = [...behindPlaces, ...flagPlaces, ...[...argv.keys()].slice(argv.length - rest.length)];
  const { values, reserved, violations, notices, ...read } = readArgumentLine(command.specs, line, places);
  if (reserved.help === "true") return { kind: "help", commands: [command], json };
  if (reserved.json === "true") {
    violations.push({ argument: "--json", message: "goes with --help; a result is JSON with --format json" });
  }
  if (violations.length > 0) throw usageError(command, violations);
  return {
    kind: "call",
    command,
    arguments: values,
    dryRun: reserved["dry-run"] === "true",
    confirm: reserved.confirm,
    workspace: reserved.workspace,
    notices: [...notices],
    words: read.words,
  };
}

interface SplitLine {
  /** Path and positionals, as far as they can be told from values without knowing the command. */
  words: string[];
  /** Reserved flags among the words, each followed by its value. */
  flags: string[];
  /** The rest, from the first flag that only its command can read. */
  rest: readonly string[];
  /** Where each of them is in the line. */
  wordPlaces: number[];
  flagPlaces: number[];
}

function splitLine(argv: readonly string[]): SplitLine {
  const words: string[] = [];
  const flags: string[] = [];
  const wordPlaces: number[] = [];
  const flagPlaces: number[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    const [, flag = "", inlineValue] = /^--([^=]+)(=.*)?$/s.exec(word === "-h" ? "--help" : word) ?? [];
    if (word === "-" || !word.startsWith("-")) {
      words.push(word);
      wordPlaces.push(index);
    } else if (isReserved(flag)) {
      const takesNext = reservedFlags[flag].type === "string" && inlineValue === undefined;
      flags.push(...argv.slice(index, takesNext ? index + 2 : index + 1));
      flagPlaces.push(index, ...(takesNext ? [index + 1] : []));
      if (takesNext) index += 1;
    } else {
      return { words, flags, rest: argv.slice(index), wordPlaces, flagPlaces };
    }
  }
  return { words, flags, rest: [], wordPlaces, flagPlaces };
}

/** The path to explain, or undefined if the line is a call. `help` may also be a value, but not in this position. */
function askedForHelp<Context>(
  catalog: Catalog<Context>,
  words: readonly string[],
  flags: readonly string[],
  rest: readonly string[],
): readonly string[] | undefined {
  const [first, second, third] = words;
  if (first === "help") return words.slice(1);
  if (second === "help") return words.toSpliced(1, 1);
  if (third === "help" && words.length === 3 && rest.length === 0 && catalog.find(`${first} ${second}`)) {
    return words.slice(0, 2);
  }
  const isFlagged = flags.includes("--help") || flags.includes("-h");
  const isEmpty = words.length === 0 && rest.length === 0;
  return isFlagged || isEmpty ? words : undefined;
}

function commandsAt<Context>(catalog: Catalog<Context>, path: readonly string[]): Command<Context>[] {
  const [group = ""] = path;
  if (path.length === 0) return [...catalog.commands];
  if (path.length === 1 && catalog.groups.includes(group)) return catalog.inGroup(group);
  return [findCommand(catalog, path, []).command];
}

function findCommand<Context>(
  catalog: Catalog<Context>,
  words: readonly string[],
  rest: readonly string[],
): { command: Command<Context>; behind: readonly string[] } {
  const [group, name] = words;
  if (group === undefined) {
    throw new ProblemError(
      "usage",
      `A line must begin with a command, not with \`${echo(rest[0] ?? "")}\`.`,
      {
        hint: "`svc help` lists all commands.",
      },
    );
  }
  const twoWords = catalog.find(`${group} ${name}`);
  if (twoWords) return { command: twoWords, behind: words.slice(2) };
  const oneWord = catalog.find(group);
  if (oneWord) return { command: oneWord, behind: words.slice(1) };
  if (!catalog.groups.includes(group)) {
    throw new ProblemError("usage", `There is no command group \`${echo(group)}\`.`, {
      hint: didYouMean(group, catalog.groups).hint ?? "`svc help` lists all commands.",
    });
  }
  const names = catalog.inGroup(group).map((command) => command.name);
  if (name === undefined) {
    throw new ProblemError("usage", `\`${group}\` needs a command: ${names.join(", ")}.`, {
      hint: `\`svc ${group} help\` explains them.`,
    });
  }
  throw new ProblemError("usage", `There is no command \`${group} ${echo(name)}\`.`, {
    hint: didYouMean(name, names).hint ?? `\`svc ${group} help\` lists the commands of this group.`,
  });
}
