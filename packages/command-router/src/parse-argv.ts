import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { ProblemError, type Violation } from "@svc/protocol/problem";
import type { ArgumentSpec } from "./argument-spec.ts";
import type { Catalog, Command } from "./catalog.ts";
import { didYouMean } from "./suggest.ts";

/** Understood by every command; no command may have an argument of the same name. */
export const reservedFlags = ["dry-run", "confirm", "help", "json", "workspace"] as const;

export type ParsedArgv<Context> =
  | { kind: "help"; commands: Command<Context>[]; json: boolean }
  | {
      kind: "call";
      command: Command<Context>;
      arguments: Record<string, unknown>;
      dryRun: boolean;
      confirm?: string;
      workspace?: string;
      notices: string[];
    };

/** `<group> <command> [--name value …]`, as typed. The client forwards; this is the only parser. */
export function parseArgv<Context>(catalog: Catalog<Context>, argv: readonly string[]): ParsedArgv<Context> {
  const asked = findHelp(catalog, argv);
  if (asked) return asked;
  const { command, rest } = findCommand(catalog, argv);
  const line = readLine(command, rest);
  if (line.help) return { kind: "help", commands: [command], json: line.json };
  if (line.violations.length > 0) throw usageError(command, line.violations);
  return {
    kind: "call",
    command,
    arguments: line.values,
    dryRun: line.dryRun,
    ...(line.confirm === undefined ? {} : { confirm: line.confirm }),
    ...(line.workspace === undefined ? {} : { workspace: line.workspace }),
    notices: line.notices,
  };
}

function findHelp<Context>(
  catalog: Catalog<Context>,
  argv: readonly string[],
): ParsedArgv<Context> | undefined {
  const json = argv.includes("--json");
  const words = argv.filter((word) => word !== "--json");
  const asksForHelp = words.at(-1) === "help" || words.at(-1) === "--help" || words[0] === "help";
  if (words.length > 0 && !asksForHelp) return undefined;
  const path = words.filter((word) => word !== "help" && word !== "--help");
  if (path.length === 0) return { kind: "help", commands: [...catalog.commands], json };
  const command = catalog.find(path.join(" "));
  if (command) return { kind: "help", commands: [command], json };
  const [group] = path;
  if (path.length === 1 && group !== undefined && catalog.groups.includes(group)) {
    return { kind: "help", commands: catalog.inGroup(group), json };
  }
  if (words[0] === "help") return { kind: "help", commands: [findCommand(catalog, path).command], json };
  // An argument whose value is `help`, or --help behind other arguments: the line itself is read.
  return undefined;
}

function findCommand<Context>(catalog: Catalog<Context>, argv: readonly string[]) {
  const [group = "", name = ""] = argv;
  const twoWords = catalog.find(`${group} ${name}`);
  if (twoWords) return { command: twoWords, rest: argv.slice(2) };
  const oneWord = catalog.find(group);
  if (oneWord) return { command: oneWord, rest: argv.slice(1) };
  if (!catalog.groups.includes(group)) {
    throw new ProblemError("usage", `There is no command group \`${group}\`.`, {
      hint: didYouMean(group, catalog.groups).hint ?? "`svc help` lists all commands.",
    });
  }
  const names = catalog.inGroup(group).map((command) => command.name);
  if (name === "" || name.startsWith("-")) {
    throw new ProblemError("usage", `\`${group}\` needs a command: ${names.join(", ")}.`, {
      hint: `\`svc ${group} help\` explains them.`,
    });
  }
  throw new ProblemError("usage", `There is no command \`${group} ${name}\`.`, {
    hint: didYouMean(name, names).hint ?? `\`svc ${group} help\` lists the commands of this group.`,
  });
}

interface Line {
  values: Record<string, unknown>;
  violations: Violation[];
  notices: string[];
  dryRun: boolean;
  confirm?: string;
  workspace?: string;
  help: boolean;
  json: boolean;
}

function readLine(command: Command<never> | Command, rest: readonly string[]): Line {
  const line: Line = { values: {}, violations: [], notices: [], dryRun: false, help: false, json: false };
  const specsByFlag = new Map(command.specs.map((spec) => [spec.flag, spec]));
  const positionals = command.specs.filter((spec) => spec.position !== undefined);
  let position = 0;

  for (const token of tokenize(command.specs, rest)) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      const spec = positionals[Math.min(position, positionals.length - 1)];
      if (spec === undefined || (position >= positionals.length && !spec.repeatable)) {
        violate(token.value, `unexpected argument \`${token.value}\``);
      } else {
        assign(spec, token.value);
      }
      position += 1;
      continue;
    }
    readOption(token);
  }
  return line;

  function readOption(token: OptionToken): void {
    const negated = token.rawName.startsWith("--no-") && specsByFlag.get(token.name)?.type === "boolean";
    const spec = specsByFlag.get(token.name);
    // A value that looks like a flag was most likely forgotten; taking `--dry-run` as a name would commit.
    const swallowsFlag = token.inlineValue === false && /^-(-|[a-z])/i.test(token.value ?? "");
    const takesValue = spec
      ? spec.type !== "boolean"
      : token.name === "confirm" || token.name === "workspace";

    if (spec === undefined && !isReserved(token.name)) {
      const known = [...specsByFlag.keys(), ...reservedFlags].map((flag) => `--${flag}`);
      const hint = didYouMean(token.rawName, known).hint;
      violate(token.rawName, hint === undefined ? "unknown argument" : `unknown argument. ${hint}`);
    } else if (takesValue && (token.value === undefined || swallowsFlag)) {
      violate(token.rawName, `needs a value (write ${token.rawName}=VALUE where it begins with a dash)`);
    } else if (spec) {
      if (spec.deprecation !== undefined)
        line.notices.push(`--${spec.flag} is deprecated: ${spec.deprecation}`);
      assign(spec, spec.type === "boolean" ? (token.value ?? String(!negated)) : (token.value as string));
    } else if (token.name === "confirm") line.confirm = token.value as string;
    else if (token.name === "workspace") line.workspace = token.value as string;
    else readSwitch(token);
  }

  function readSwitch(token: OptionToken): void {
    if (token.value !== undefined && token.value !== "true" && token.value !== "false") {
      violate(token.rawName, "takes no value");
      return;
    }
    const on = token.value !== "false";
    if (token.name === "dry-run") line.dryRun = on;
    else if (token.name === "help") line.help = on;
    else line.json = on;
  }

  function assign(spec: ArgumentSpec, text: string): void {
    const value = toValue(spec, text);
    if (spec.repeatable) {
      line.values[spec.name] = [...((line.values[spec.name] as unknown[] | undefined) ?? []), value];
    } else if (Object.hasOwn(line.values, spec.name)) {
      violate(`--${spec.flag}`, "given more than once");
    } else {
      line.values[spec.name] = value;
    }
  }

  function violate(argument: string, message: string): void {
    line.violations.push({ argument, message });
  }
}

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];
type OptionToken = Extract<Token, { kind: "option" }>;

function tokenize(specs: readonly ArgumentSpec[], rest: readonly string[]): Token[] {
  const options: ParseArgsOptionsConfig = {
    confirm: { type: "string" },
    workspace: { type: "string" },
    "dry-run": { type: "boolean" },
    help: { type: "boolean", short: "h" },
    json: { type: "boolean" },
  };
  for (const spec of specs) {
    options[spec.flag] = {
      type: spec.type === "boolean" ? "boolean" : "string",
      ...(spec.short === undefined ? {} : { short: spec.short }),
    };
  }
  const { tokens } = parseArgs({
    args: [...rest],
    options,
    tokens: true,
    strict: false,
    allowPositionals: true,
    allowNegative: true,
  });
  return tokens;
}

/** Text that is not of the wanted type is passed on as it is: the schema words that refusal. */
function toValue(spec: ArgumentSpec, text: string): unknown {
  if (spec.type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (spec.type === "number" || spec.type === "integer") {
    return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : text;
  }
  return text;
}

function isReserved(name: string): name is (typeof reservedFlags)[number] {
  return (reservedFlags as readonly string[]).includes(name);
}

export function usageError(command: { path: string }, violations: Violation[]): ProblemError {
  const named = violations.map(({ argument, message }) => `${argument}: ${message}`).join("; ");
  return new ProblemError("invalid_arguments", named, {
    hint: `\`svc ${command.path} --help\` shows what it takes.`,
    violations,
  });
}
