import { distance } from "fastest-levenshtein";
import type { Effect } from "../command.ts";
import { letters, suggest } from "./suggest.ts";

interface Named {
  path: string;
  group: string;
  name: string;
  aliases?: readonly string[] | undefined;
  keywords?: readonly string[] | undefined;
  effect: Effect;
}

/** What callers say for a verb of ours, the nearest first: of `records`, `show` is `get`. */
// A map, because `constructor` may be typed.
const verbsFor = new Map<string, readonly string[]>(
  Object.entries({
    show: ["show", "cat", "get", "describe", "list"],
    get: ["get", "show", "describe", "list"],
    read: ["cat", "get", "show", "describe"],
    view: ["show", "cat", "get", "describe"],
    open: ["cat", "get", "show", "describe"],
    info: ["get", "stat", "show", "describe"],
    details: ["get", "stat", "show", "describe"],
    ls: ["list"],
    all: ["list"],
    query: ["list", "find"],
    search: ["query", "find", "list"],
    new: ["create", "add", "mkdir"],
    make: ["create", "mkdir", "add"],
    add: ["create"],
    create: ["add", "mkdir"],
    insert: ["create", "add"],
    edit: ["update", "alter"],
    change: ["update", "alter"],
    modify: ["update", "alter"],
    remove: ["delete"],
    delete: ["remove"],
    rm: ["delete", "remove"],
    mv: ["move"],
    cp: ["copy"],
  }),
);

export interface CommandMeant<Command> {
  command: Command;
  /** How many of the words named it. */
  words: number;
  /** They were its name but for a slip or two. */
  isSlip: boolean;
}

/**
 * The one command that was meant by words that name none: `file list`, `files_list`, `list files`, `files lsit`,
 * `files remove`. Undefined if none is near, or several are as near.
 */
export function commandMeant<Command extends Named>(
  commands: readonly Command[],
  typed: readonly string[],
): CommandMeant<Command> | undefined {
  const [first = "", second] = typed;
  const parts = partsOf(first);
  if (parts.length > 1) {
    const command = inEitherOrder(commands, parts);
    return command && found(command, [first]);
  }
  if (second !== undefined) {
    const command = inEitherOrder(commands, [first, second]);
    if (command) return found(command, [first, second]);
  }
  // The word behind a group names one of its commands, or none.
  if (commands.some(({ group }) => group === first)) return undefined;
  const command = byOneWord(commands, first.toLowerCase());
  return command && found(command, [first]);
}

const mostSlips = 2;

function found<Command extends Named>(command: Command, typed: readonly string[]): CommandMeant<Command> {
  const isSlip = distance(letters(typed.join("")), letters(command.path)) <= mostSlips;
  return { command, words: typed.length, isSlip };
}

/** `files.list`, `files/list` and `listFiles` are two words. */
function partsOf(word: string): string[] {
  return word
    .slice(0, 64)
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .split(/[^\p{L}-]+/u)
    .filter((part) => part !== "");
}

function inEitherOrder<Command extends Named>(
  commands: readonly Command[],
  [first = "", second = "", ...more]: readonly string[],
): Command | undefined {
  const verb = [second, ...more].join("-").toLowerCase();
  return inGroup(commands, first.toLowerCase(), verb) ?? inGroup(commands, verb, first.toLowerCase());
}

function inGroup<Command extends Named>(
  commands: readonly Command[],
  typedGroup: string,
  verb: string,
): Command | undefined {
  const groups = [...new Set(commands.map(({ group }) => group))];
  const group =
    groups.find((one) => one === typedGroup || one === `${typedGroup}s`) ?? suggest(typedGroup, groups);
  const within = commands.filter((command) => command.group === group);
  const named = (name: string | undefined) => within.find((command) => command.name === name);
  const exact = named(verb) ?? within.find(({ aliases = [] }) => aliases.includes(verb));
  if (exact) return exact;
  const called = within.filter(({ keywords = [] }) => keywords.includes(verb));
  if (called.length > 0) return onlyOne(called);
  const [said] = (verbsFor.get(verb) ?? []).flatMap((name) => named(name) ?? []);
  return (
    said ??
    named(
      suggest(
        verb,
        within.map(({ name }) => name),
      ),
    )
  );
}

/** Of several, the one that only reads. */
function onlyOne<Command extends Named>(called: readonly Command[]): Command | undefined {
  const reading = called.filter(({ effect }) => effect === "read");
  const [one, another] = called.length === 1 ? called : reading;
  return another ? undefined : one;
}

function byOneWord<Command extends Named>(commands: readonly Command[], word: string): Command | undefined {
  const alone = commands.find(({ path, aliases = [] }) => path === word || aliases.includes(word));
  if (alone) return alone;
  const called = commands.filter(({ keywords = [] }) => keywords.includes(word));
  if (called.length > 0) return onlyOne(called);
  const near = suggest(
    word,
    commands.flatMap(({ path, aliases = [] }) => [path, ...aliases]),
  );
  return commands.find(({ path, aliases = [] }) => path === near || aliases.includes(near ?? ""));
}
