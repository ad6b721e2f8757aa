import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import type { Violation } from "@svc/protocol/problem";
import { type ArgumentSpec, typedName } from "./argument-spec.ts";
import { isReserved, type ReservedFlag, reservedFlags } from "./reserved-flags.ts";
import { didYouMean } from "./suggest.ts";
import { echo } from "./usage-error.ts";

/** The words after the path of a command: its own arguments, and the flags that every command takes. */
export interface ArgumentLine {
  values: Record<string, unknown>;
  reserved: Partial<Record<ReservedFlag, string>>;
  violations: Violation[];
  notices: Set<string>;
  words: TypedWords;
  /** Words for which there is no argument, by their place among these: unknown flags, and values too many. */
  unread: { at: number; flag?: string }[];
}

/** By the name of an argument: the place of the word that gave each of its values. */
export type TypedWords = ReadonlyMap<string, readonly number[]>;

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];
type OptionToken = Extract<Token, { kind: "option" }>;

/** `places`: where each of the words is in the whole line; absent if these are all. */
export function readArgumentLine(
  specs: readonly ArgumentSpec[],
  words: readonly string[],
  places: readonly number[] = [...words.keys()],
): ArgumentLine {
  const typedWords = new Map<string, number[]>();
  const line: ArgumentLine = {
    values: {},
    reserved: {},
    violations: [],
    notices: new Set(),
    words: typedWords,
    unread: [],
  };
  // A client shows the line that it points into, and the secret with it.
  const mayPoint = !specs.some(({ secret }) => secret);
  const specsByFlag = new Map(specs.map((spec) => [spec.flag, spec]));
  const options = optionsFor(specs);
  const tokens = tokenize(options, words);
  const plainWords = tokens.filter(({ kind }) => kind === "positional").length;
  let position = 0;

  for (const token of tokens) {
    if (token.kind === "positional") readPositional(token.value, token.index);
    if (token.kind === "option") readOption(token);
  }
  return line;

  function readPositional(text: string, at: number): void {
    const spec = positionalAt(specs, position, plainWords);
    position += 1;
    if (spec) assign(spec, text, at);
    else {
      line.unread.push({ at });
      violate(echo(text), "is one word too many", at);
    }
  }

  function readOption(token: OptionToken): void {
    const { flag, negated } = resolve(token.name);
    const typed = echo(token.rawName);
    const option = options.get(flag);
    if (option === undefined) {
      line.unread.push({ at: token.index, flag: token.name });
      const { hint } = didYouMean(
        token.rawName,
        [...options.keys()].map((name) => `--${name}`),
      );
      const unknown = "is not an argument of this command";
      violate(typed, hint === undefined ? unknown : `${unknown}. ${hint}`, token.index);
    } else if (option.type === "boolean") {
      if (negated && token.value !== undefined) violate(typed, "takes no value", token.index);
      else give(flag, typed, token.value ?? String(!negated), token.index);
    } else if (token.value === undefined || swallowsFlag(token)) {
      violate(typed, `needs a value (write ${typed}=VALUE where it begins with a dash)`, token.index);
      if (token.value === "--help") line.reserved.help = "true";
    } else {
      give(flag, typed, token.value, token.inlineValue ? token.index : token.index + 1);
    }
  }

  /** `--no-x` sets a boolean x to false, unless an argument is really called `no-x`. */
  function resolve(name: string): { flag: string; negated: boolean } {
    const positive = name.startsWith("no-") ? name.slice("no-".length) : name;
    const negated = !options.has(name) && options.get(positive)?.type === "boolean";
    return { flag: negated ? positive : name, negated };
  }

  function give(flag: string, typed: string, text: string, at: number): void {
    const spec = specsByFlag.get(flag);
    if (spec) assign(spec, text, at);
    else if (isReserved(flag)) giveReserved(flag, typed, text, at);
  }

  function giveReserved(flag: ReservedFlag, typed: string, text: string, at: number): void {
    if (reservedFlags[flag].type === "boolean" && text !== "true" && text !== "false") {
      violate(typed, "takes no value", at);
    } else if (line.reserved[flag] !== undefined) {
      // In `--confirm false --confirm true`, the second would commit what the first held back.
      violate(typed, "is given twice", at);
    } else {
      line.reserved[flag] = text;
    }
  }

  function assign(spec: ArgumentSpec, text: string, at: number): void {
    if (spec.deprecation !== undefined) {
      line.notices.add(`${typedName(spec)} is deprecated: ${spec.deprecation}`);
    }
    const value = toValue(spec, text);
    const before = Object.hasOwn(line.values, spec.name) ? line.values[spec.name] : undefined;
    if (!spec.repeatable && before !== undefined) {
      violate(typedName(spec), givenTwice(spec, before, text), at);
      return;
    }
    line.values[spec.name] = spec.repeatable ? [...((before as unknown[] | undefined) ?? []), value] : value;
    const word = placeOf(at);
    if (word !== undefined) typedWords.set(spec.name, [...(typedWords.get(spec.name) ?? []), word]);
  }

  function violate(argument: string, message: string, at: number): void {
    const word = placeOf(at);
    line.violations.push({ argument, message, ...(word === undefined ? {} : { word }) });
  }

  function placeOf(at: number): number | undefined {
    return mayPoint ? places[at] : undefined;
  }
}

function givenTwice({ type, secret }: ArgumentSpec, before: unknown, text: string): string {
  if (type === "boolean") return "is given twice";
  const values = [String(before), text].map((value) => `\`${echo(value, longestRepeated)}\``).join(", ");
  return `takes one value and is given twice${secret ? "" : `: ${values}`}`;
}

const longestRepeated = 40;

/** Of so many words, those beyond one for each positional belong to the one that repeats: `cp a b c target`. */
function positionalAt(
  specs: readonly ArgumentSpec[],
  index: number,
  count: number,
): ArgumentSpec | undefined {
  const positionals = specs.filter((spec) => spec.position !== undefined);
  const repeated = positionals.findIndex(({ repeatable }) => repeatable);
  if (repeated === -1 || index <= repeated) return positionals[index];
  const surplus = Math.max(0, count - positionals.length);
  return positionals[Math.max(repeated, index - surplus)];
}

function optionsFor(specs: readonly ArgumentSpec[]) {
  const own = specs.map(({ flag, type, short }) => {
    const option = {
      type: type === "boolean" ? "boolean" : "string",
      ...(short === undefined ? {} : { short }),
    };
    return [flag, option] as [string, ParseArgsOptionsConfig[string]];
  });
  return new Map([...Object.entries<ParseArgsOptionsConfig[string]>(reservedFlags), ...own]);
}

function tokenize(
  options: ReadonlyMap<string, ParseArgsOptionsConfig[string]>,
  words: readonly string[],
): Token[] {
  const { tokens } = parseArgs({
    args: shortenGroups(options, words),
    options: Object.fromEntries(options),
    tokens: true,
    strict: false,
    allowPositionals: true,
  });
  return tokens;
}

/** No command has that many one-letter flags. */
const longestGroup = 100;

/**
 * `-abc` is `-a -b -c`, and `parseArgs` moves the whole line for each: 100 kB of them take 16 s. The rest would be
 * refused anyway; values stay whole.
 */
function shortenGroups(
  options: ReadonlyMap<string, ParseArgsOptionsConfig[string]>,
  words: readonly string[],
): string[] {
  const typeOf = new Map([...options.values()].map(({ short, type }) => [short, type]));
  const end = words.indexOf("--");
  return words.map((word, index) => {
    if (!/^-[^-]/.test(word) || word.length <= longestGroup || (end !== -1 && index > end)) return word;
    const before = words[index - 1] ?? "";
    const isValue = before.startsWith("--")
      ? options.get(before.slice(2))?.type === "string"
      : before.startsWith("-") && typeOf.get(before.at(-1)) === "string";
    const first = [...word.slice(1, longestGroup)].find((letter) => typeOf.get(letter) !== "boolean");
    return isValue || typeOf.get(first) === "string" ? word : word.slice(0, longestGroup);
  });
}

/** A value that looks like a flag was most likely forgotten; taking `--dry-run` as a name would commit. */
function swallowsFlag({ inlineValue, value }: OptionToken): boolean {
  return inlineValue === false && /^-(-|[a-z])/i.test(value ?? "");
}

/** Text of the wrong type is passed on unchanged: the schema refuses it. */
function toValue({ type }: ArgumentSpec, text: string): unknown {
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (type === "string") return text;
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
}
