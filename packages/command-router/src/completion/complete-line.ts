import type { Completion } from "@svc/protocol/completion";
import type { ArgumentSpec } from "../arguments/argument-spec.ts";
import { lookUpCommand } from "../arguments/find-command.ts";
import { splitLine } from "../arguments/parse-argv.ts";
import { readArgumentLine } from "../arguments/read-argument-line.ts";
import { isReserved } from "../arguments/reserved-flags.ts";
import type { ValueKind } from "../arguments/value-kind.ts";
import type { Catalog, Command } from "../catalog.ts";
import { flagsOf } from "./flags-of.ts";

/** What can come next in a line that somebody is typing. */
export interface LineCompletion<Context> {
  /** What the catalog knows: commands, flags and choices. */
  completions: Completion[];
  /** A file on the caller's machine belongs here. */
  takesFile: boolean;
  /** What has to be looked up, and how much of it was typed. `before` precedes every candidate: `--into=`. */
  values: { kinds: readonly ValueKind[]; typed: string; before: string };
  command: Command<Context> | undefined;
  /** From the line. */
  workspace: string | undefined;
}

/** Stands for the word at the cursor, so that the parser says where it belongs. No argument can contain it. */
const cursor = "\0";

/** `argv` are the words before the cursor, `word` what was typed of the next one. */
export function completeLine<Context>(
  catalog: Catalog<Context>,
  argv: readonly string[],
  word: string,
): LineCompletion<Context> {
  const { words, flags, rest } = splitLine(argv);
  const isFlag = word.startsWith("-") && !rest.includes("--");
  const found = lookUpCommand(catalog, words, isFlag ? [...rest, word] : rest);
  const line = [...(found?.behind ?? []), ...flags, ...rest];
  const specs = found?.command.specs ?? [];
  const { values, reserved } = readArgumentLine(specs, [...line, cursor]);
  const whole = {
    completions: [] as Completion[],
    takesFile: false,
    values: { kinds: [] as ValueKind[], typed: word, before: "" },
    command: found?.command,
    workspace: reserved.workspace === cursor ? undefined : reserved.workspace,
  };
  const inline = isFlag ? /^--([^=]+)=/.exec(word) : null;
  if (isFlag && !inline) return { ...whole, completions: flagsOf(found?.command, values, reserved, word) };

  const [before = "", flag = ""] = inline ?? [];
  const typed = word.slice(before.length);
  const slots = inline ? specs.filter((spec) => spec.flag === flag) : slotsAt(specs, values);
  const isWorkspace = inline ? flag === "workspace" : reserved.workspace === cursor;
  const isOtherReserved = inline
    ? isReserved(flag)
    : Object.values(reserved).includes(cursor) && reserved.workspace !== cursor;
  if (isWorkspace) return { ...whole, values: { kinds: ["workspace"], typed, before } };
  if (isOtherReserved || (found === undefined && inline)) return whole;
  if (!found) return { ...whole, completions: startingWith(word, commandWords(catalog, words)) };
  const choices = slots.flatMap((spec) => choicesOf(spec, inline !== null));
  return {
    ...whole,
    completions:
      slots.length === 0 && word === ""
        ? flagsOf(found.command, values, reserved, word)
        : startingWith(
            word,
            choices.map((choice) => ({ word: `${before}${choice}`, meaning: "" })),
          ),
    takesFile: slots.some(({ localFile }) => localFile),
    values: { kinds: [...new Set(slots.flatMap(({ names = [] }) => names))], typed, before },
  };
}

/** The argument that the cursor is in; behind a positional that repeats, one more of that is possible too. */
function slotsAt(specs: readonly ArgumentSpec[], values: Record<string, unknown>): ArgumentSpec[] {
  const slot = specs.find(({ name }) => [values[name]].flat().includes(cursor));
  if (slot?.position === undefined) return slot ? [slot] : [];
  const repeated = specs.find(({ repeatable, position = Infinity }) => repeatable && position < Infinity);
  return repeated?.position !== undefined && repeated.position < slot.position ? [slot, repeated] : [slot];
}

function choicesOf({ choices, type, secret }: ArgumentSpec, isInline: boolean): readonly string[] {
  if (secret) return [];
  return type === "boolean" && isInline ? ["true", "false"] : (choices ?? []);
}

function commandWords<Context>(catalog: Catalog<Context>, words: readonly string[]): Completion[] {
  const [first, second, ...more] = words;
  if (first === "help") return more.length > 0 ? [] : commandWords(catalog, second ? [second] : []);
  if (second !== undefined) return [];
  if (first !== undefined) {
    return catalog.inGroup(first).map(({ name, summary }) => ({ word: name, meaning: summary }));
  }
  return [
    ...catalog.groups.map((group) => ({ word: group, meaning: meaningOf(catalog.inGroup(group)) })),
    ...catalog.aliases.map((word) => ({ word, meaning: catalog.findAlias(word)?.summary ?? "" })),
    { word: "help", meaning: "Explain a group or a command" },
  ];
}

function meaningOf<Context>(commands: readonly Command<Context>[]): string {
  const [only, second] = commands;
  return second ? commands.map(({ name }) => name).join(" ") : (only?.summary ?? "");
}

function startingWith(typed: string, candidates: readonly Completion[]): Completion[] {
  return candidates.filter(({ word }) => word.startsWith(typed));
}
