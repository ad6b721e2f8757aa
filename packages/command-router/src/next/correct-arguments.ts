import type { ArgumentSpec } from "../arguments/argument-spec.ts";
import { letters } from "../arguments/suggest.ts";
import type { CommandFacts } from "../catalog.ts";
import { argumentMeant } from "./argument-meant.ts";
import { correctValue } from "./correct-value.ts";

export interface Corrected {
  arguments: Record<string, unknown>;
  /** If it was given as an argument, where it does not belong. */
  workspace?: string | undefined;
  /** Required, and not given under any name. */
  missing: readonly ArgumentSpec[];
}

/** A call with more is not a slip. */
const mostArguments = 50;

/** What a caller says about the call, not about its command. Whatever is corrected is previewed anyway. */
const previewWords = new Set(["confirm", "confirmed", "dryrun", "preview", "simulate"]);
/** How the answer should look; every answer here is JSON or text by the way in. */
const answerWords = new Set(["verbose", "quiet", "debug", "format", "output", "json", "pretty", "color"]);
/** What asks for more than the command does, as `rm -rf` does: without it, no more happens. */
const moreWords = new Set(["recursive", "force", "yes"]);
const workspaceWords = new Set(["workspace", "workspaceid", "workspacename", "workspaceslug"]);

type Correctable = Pick<CommandFacts, "specs" | "arguments" | "effect">;

/**
 * The arguments that a caller most probably meant: other names, other forms of one value, limits within their bounds.
 * Undefined if that is not clear. Nothing is left out of a command that changes something, because fewer arguments can
 * mean more: `trash purge` without a target is the whole trash.
 */
export function correctArguments(command: Correctable, given: unknown): Corrected | undefined {
  if (!isRecord(given) || Object.keys(given).length > mostArguments) return undefined;
  const isRead = command.effect === "read";
  const named = nameArguments(command, given);
  // guard: nothing-is-left-out-of-a-change
  if (named.unknown.length > 0 && !isRead) return undefined;
  const kept: Record<string, unknown> = {};
  for (const spec of command.specs) {
    if (!Object.hasOwn(named.arguments, spec.name)) continue;
    const value = named.arguments[spec.name];
    const corrected = takes(command, spec, value) ? value : correctValue(spec, value, { mayClamp: isRead });
    if (takes(command, spec, corrected)) kept[spec.name] = corrected;
    else if (!isRead || spec.required) return undefined;
  }
  const missing = command.specs.filter(({ name, required }) => required && !Object.hasOwn(kept, name));
  return { arguments: kept, workspace: named.workspace, missing };
}

/** Each value under the name of its argument, and the names that stay unknown. */
function nameArguments({ specs }: Correctable, given: Record<string, unknown>) {
  const values: Record<string, unknown> = {};
  const unknown: string[] = [];
  let workspace: string | undefined;
  const isFree = ({ name }: ArgumentSpec) => !Object.hasOwn(values, name);
  for (const [name, value] of Object.entries(given)) {
    if (specs.some((spec) => spec.name === name)) values[name] = value;
  }
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(values, name)) continue;
    const word = letters(name);
    const meant = argumentMeant(name, specs.filter(isFree));
    if (meant && letters(meant.name) === word) values[meant.name] = value;
    else if (workspaceWords.has(word) && typeof value === "string") workspace = value;
    else if (previewWords.has(word)) continue;
    else if (meant) values[meant.name] = value;
    else if (answerWords.has(word)) continue;
    else if (value === true && asksForMore(name)) continue;
    else unknown.push(name);
  }
  const [name, ...more] = unknown;
  const [lacking, ...others] = specs.filter((spec) => spec.required && isFree(spec));
  // One name too many and one too few: it can only be that.
  if (name !== undefined && lacking && more.length === 0 && others.length === 0) {
    return { arguments: { ...values, [lacking.name]: given[name] }, unknown: [], workspace };
  }
  return { arguments: values, unknown, workspace };
}

export function asksForMore(name: string): boolean {
  return moreWords.has(letters(name));
}

/** By the rules of this argument alone. */
function takes(command: Correctable, spec: ArgumentSpec, value: unknown): boolean {
  return command.arguments.shape[spec.name]?.safeParse(value).success === true;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
