import { ProblemError } from "@svc/protocol/problem";
import type { Catalog, Command } from "../catalog.ts";
import { hasPages } from "../page-limits.ts";
import { askedForHelp, type SplitLine } from "./asked-for-help.ts";
import { findCommand, noSuchCommand } from "./find-command.ts";
import { readArgumentLine, type TypedWords } from "./read-argument-line.ts";
import { isReserved, reservedFlags } from "./reserved-flags.ts";
import { echo, usageError } from "./usage-error.ts";

export type ParsedArgv<Context> =
  | ({ kind: "help"; commands: Command<Context>[] } & HelpForm)
  | {
      kind: "call";
      command: Command<Context>;
      arguments: Record<string, unknown>;
      dryRun: boolean;
      confirm?: string | undefined;
      workspace?: string | undefined;
      /** Every page, one after the other. */
      all: boolean;
      notices: string[];
      words: TypedWords;
    };

/** `<group> <command> [--name value …]`, as typed. The client forwards; this is the only parser. */
export function parseArgv<Context>(catalog: Catalog<Context>, argv: readonly string[]): ParsedArgv<Context> {
  const split = splitLine(argv);
  const { words, flags, rest, wordPlaces, flagPlaces } = split;
  const explain = (commands: Command<Context>[]) => {
    const form = helpForm(argv);
    if (form.skill && commands.length < catalog.commands.length) throw onlyForHelp("--skill", "`svc help`");
    return { kind: "help" as const, commands, ...form };
  };
  const asked = askedForHelp(catalog, split);
  if (asked) return explain(asked);

  const { command, behind, near } = findCommand(catalog, words, rest);
  const line = [...behind, ...flags, ...rest];
  const behindPlaces = wordPlaces.slice(words.length - behind.length);
  const places = [...behindPlaces, ...flagPlaces, ...[...argv.keys()].slice(argv.length - rest.length)];
  const { values, reserved, violations, notices, ...read } = readArgumentLine(command.specs, line, places);
  if (reserved.help === "true") return explain([command]);
  if (reserved.json === "true") {
    violations.push({ argument: "--json", message: "goes with --help; a result is JSON with --format json" });
  }
  if (reserved.results === "true") {
    violations.push({ argument: "--results", message: "goes with --help --json" });
  }
  if (reserved.skill === "true") violations.push({ argument: "--skill", message: "goes with `svc help`" });
  const all = reserved.all === "true";
  if (all && !hasPages(command)) violations.push({ argument: "--all", message: "is for lists with pages" });
  if (all && Object.hasOwn(values, "limit")) {
    violations.push({ argument: "--limit", message: "does not go with --all, which shows every row" });
  }
  const [first = ""] = behind;
  if (violations.length > 0) {
    throw near ? noSuchCommand(catalog, command.group, first) : usageError(command, violations);
  }
  return {
    kind: "call",
    command,
    arguments: values,
    dryRun: reserved["dry-run"] === "true",
    confirm: reserved.confirm,
    workspace: reserved.workspace,
    all,
    notices: [...notices, ...(near ? [ranInstead(command, first, near)] : [])],
    words: read.words,
  };
}

interface HelpForm {
  json: boolean;
  /** With the schemas of results, which are longer than everything else in the JSON. */
  results: boolean;
  /** As a SKILL.md. */
  skill: boolean;
}

function helpForm(argv: readonly string[]): HelpForm {
  const [json = false, results = false, skill = false] = ["--json", "--results", "--skill"].map((flag) =>
    argv.includes(flag),
  );
  if (results && !json) throw onlyForHelp("--results", "--help --json");
  return { json, results, skill };
}

function onlyForHelp(flag: string, help: string): ProblemError {
  return new ProblemError("usage", `${flag} goes with ${help}.`);
}

/** With the places of words and flags in the line. */
interface PlacedLine extends SplitLine {
  wordPlaces: number[];
  flagPlaces: number[];
}

/** Path, reserved flags and the rest, as far as they can be told apart without the command. */
export function splitLine(argv: readonly string[]): PlacedLine {
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

function ranInstead(command: { path: string }, first: string, near: { path: string }): string {
  return `ran \`svc ${command.path} ${echo(first)}\`; for the command type \`svc ${near.path}\``;
}
