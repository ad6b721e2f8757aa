import { type ErrorCode, errorTable } from "@svc/protocol/error-table";
import type { ArgumentHelp, CommandHelp, HelpTree } from "@svc/protocol/help";
import { z } from "zod";
import type { ArgumentSpec } from "./argument-spec.ts";
import type { Command } from "./catalog.ts";

/** Any command may answer with these. */
const commonFailures: ErrorCode[] = [
  "unauthenticated",
  "not_permitted",
  "invalid_arguments",
  "unavailable",
  "too_many_requests",
  "timeout",
  "internal",
];

export function helpTree(commands: readonly Command<never>[] | readonly Command[]): HelpTree {
  const byCategory = new Map<string, Map<string, CommandHelp[]>>();
  for (const command of commands) {
    const groups = byCategory.get(command.category) ?? new Map<string, CommandHelp[]>();
    byCategory.set(command.category, groups);
    groups.set(command.group, [...(groups.get(command.group) ?? []), commandHelp(command)]);
  }
  return {
    categories: [...byCategory]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([category, groups]) => ({
        category,
        groups: [...groups].map(([group, inGroup]) => ({ group, commands: inGroup })),
      })),
  };
}

function commandHelp(command: Command<never> | Command): CommandHelp {
  return {
    path: command.path,
    group: command.group,
    summary: command.summary,
    ...(command.description === undefined ? {} : { description: command.description }),
    effect: command.effect,
    scopes: [...command.scopes],
    usage: usageLine(command),
    arguments: command.specs.map(argumentHelp),
    argumentSchema: z.toJSONSchema(command.arguments, { io: "input" }),
    resultSchema: z.toJSONSchema(command.result),
    examples: [...command.examples],
    exitCodes: exitCodes(command),
    undoable: command.undo !== undefined,
  };
}

function argumentHelp(spec: ArgumentSpec): ArgumentHelp {
  const { localFile, secret, deprecation, ...shown } = spec;
  return { ...shown, flag: `--${spec.flag}` };
}

export function usageLine(command: Command<never> | Command): string {
  const positionals = command.specs
    .filter((spec) => spec.position !== undefined)
    .map((spec) => (spec.required ? `<${spec.flag}>` : `[${spec.flag}]`) + (spec.repeatable ? "…" : ""));
  const required = command.specs
    .filter((spec) => spec.position === undefined && spec.required)
    .map((spec) => `--${spec.flag} <${valueName(spec)}>`);
  const optional = command.specs.some((spec) => spec.position === undefined && !spec.required);
  return ["svc", command.path, ...positionals, ...required, ...(optional ? ["[options]"] : [])].join(" ");
}

export function valueName(spec: Pick<ArgumentHelp, "choices" | "type">): string {
  return spec.choices ? spec.choices.join("|") : spec.type === "string" ? "text" : spec.type;
}

/** One line an exit code; two failures that share one are told together. */
function exitCodes(command: Command<never> | Command): { exitCode: number; meaning: string }[] {
  const meanings = new Map<number, string>([[0, "Done, or previewed"]]);
  for (const code of [...commonFailures, ...command.failures]) {
    const { exitCode, title } = errorTable[code];
    const known = meanings.get(exitCode);
    if (known === undefined) meanings.set(exitCode, title);
    else if (!known.includes(title)) meanings.set(exitCode, `${known}; ${title.toLowerCase()}`);
  }
  if (command.exitCode) meanings.set(60, "Complete, but a check failed");
  return [...meanings].sort(([a], [b]) => a - b).map(([exitCode, meaning]) => ({ exitCode, meaning }));
}
