import { type ErrorCode, errorTable } from "@svc/protocol/error-table";
import { exitCode } from "@svc/protocol/exit-code";
import type { ArgumentHelp, CommandHelp, HelpTree } from "@svc/protocol/help";
import { z } from "zod";
import type { ArgumentSpec } from "../arguments/argument-spec.ts";
import type { CommandFacts } from "../catalog.ts";
import { canBeGrave } from "../decide.ts";

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

/** And any command that changes something: wrong preview token, reused idempotency key, missing confirmation. */
const writeFailures: ErrorCode[] = ["conflict", "idempotency_key_reused", "confirmation_required"];
/** What AI members are told about a command that a person has to approve. */
const approvalFailures: ErrorCode[] = ["approval_pending", "approval_denied"];

export function helpTree(commands: readonly CommandFacts[]): HelpTree {
  return { categories: byCategory(commands, commandHelp) };
}

/** category → group → what `explain` says of each command. */
export function byCategory<Help>(
  commands: readonly CommandFacts[],
  explain: (command: CommandFacts) => Help,
): { category: string; groups: { group: string; commands: Help[] }[] }[] {
  const categories = new Map<string, Map<string, Help[]>>();
  for (const command of commands) {
    const groups = categories.get(command.category) ?? new Map<string, Help[]>();
    categories.set(command.category, groups);
    groups.set(command.group, [...(groups.get(command.group) ?? []), explain(command)]);
  }
  return [...categories]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, groups]) => ({
      category,
      groups: [...groups].map(([group, inGroup]) => ({ group, commands: inGroup })),
    }));
}

function commandHelp(command: CommandFacts): CommandHelp {
  return {
    path: command.path,
    group: command.group,
    summary: command.summary,
    ...(command.description === undefined ? {} : { description: command.description }),
    ...(command.aliases === undefined ? {} : { aliases: [...command.aliases] }),
    ...(command.isDefault ? { isDefault: true } : {}),
    effect: command.effect,
    scopes: [...command.scopes],
    usage: usageLine(command),
    arguments: command.specs.map(argumentHelp),
    argumentSchema: z.toJSONSchema(command.arguments, { io: "input" }),
    resultSchema: z.toJSONSchema(command.result),
    examples: [...command.examples],
    exitCodes: exitCodes([command]),
    undoable: command.undo !== undefined,
  };
}

function argumentHelp(spec: ArgumentSpec): ArgumentHelp {
  const { localFile, acceptsFolder, address, names, readsText, secret, rules, ...shown } = spec;
  return { ...shown, flag: `--${spec.flag}` };
}

export function usageLine(command: CommandFacts): string {
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

/** One line per exit code; failures that share a code share a line. */
export function exitCodes(commands: readonly CommandFacts[]): CommandHelp["exitCodes"] {
  const writes = commands.some(({ effect }) => effect !== "read");
  const areApproved = commands.some((command) => command.agents !== "never" && canBeGrave(command));
  const ownFailures = commands.flatMap(({ failures }) => failures);
  const codes = new Set([
    ...commonFailures,
    ...(writes ? writeFailures : []),
    ...(areApproved ? approvalFailures : []),
    ...ownFailures,
  ]);
  const meanings = [...Map.groupBy(codes, (code) => errorTable[code].exitCode)].map(([shared, same]) => ({
    exitCode: shared,
    meaning: same
      .map((code) => errorTable[code].title)
      .map((title, index) => (index === 0 ? title : title.toLowerCase()))
      .join("; "),
  }));
  return [
    { exitCode: exitCode.done, meaning: writes ? "Done, or previewed" : "Done" },
    ...meanings,
    ...(commands.some((command) => command.exitCode)
      ? [{ exitCode: exitCode.failedCheck, meaning: "Complete, but a check failed" }]
      : []),
  ].sort((a, b) => a.exitCode - b.exitCode);
}
