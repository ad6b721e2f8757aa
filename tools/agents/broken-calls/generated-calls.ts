import type { ArgumentSpec } from "@svc/command-router/arguments/argument-spec";
import type { Command } from "@svc/command-router/catalog";
import { toolName } from "@svc/command-router/help/tool";
import { Dice } from "../../bench/fulltext/words.ts";
import type { BrokenCall } from "./broken-call.ts";

/** A call that works, before it is broken. */
export interface SoundCall {
  command: Command;
  arguments: Record<string, unknown>;
  workspace: string;
}

/** What each kind of argument names in the world; required arguments without a kind, by their name. */
const valuesByKind: Record<string, string> = {
  path: "/reports/notes.txt",
  collection: "contacts",
  group: "Finance",
  person: "Rin Takahashi",
  operation: "$operation",
  trashed: "$trashed",
  workspace: "marketing",
};
const valuesByName: Record<string, unknown> = {
  folder: "/reports",
  lines: ["files mkdir /batched"],
  field: ["name:text"],
  name: "Press",
  query: ["heron"],
  record: "$record",
  approval: "$approval",
  cron: "0 3 * * 1",
  set: ["name=Ken"],
};
/** Where the rule above is not enough. */
const soundArguments: Record<string, Record<string, unknown>> = {
  "files copy": { source: "/reports/notes.txt", target: "/archive/copy.txt" },
  "files move": { source: "/reports/notes.txt", target: "/archive/notes.txt" },
  "files mkdir": { folder: "/reports/2026" },
  "files rename": { target: "/reports/notes.txt", name: "minutes.txt" },
  "people find": { name: ["rin"] },
  "records get": { target: "$record" },
  "records update": { target: "$record", set: ["name=Hanako"] },
  "records delete": { target: "$record" },
  "records create": { collection: "contacts", set: ["name=Ken"] },
  "collections create": { name: "leads", field: ["name:text"] },
  "collections alter": { target: "contacts", name: "people" },
  "workspaces rename": { target: "marketing", name: "Brand" },
  "workspaces update": { target: "marketing", semanticSearch: "on" },
  "access grant": { subject: "/reports", person: "Rin Takahashi", role: "viewer" },
  "access revoke": { subject: "/reports", person: "Rin Takahashi" },
  "search suggest": { typed: "no" },
  // Without it, it is the latest of the credential, which is another one by another way in.
  "operations undo": { operation: "$operation" },
};

/** One call of each command that agents may run without a file of their machine. Some are refused for want of rights. */
export function candidates(commands: readonly Command[]): SoundCall[] {
  return commands
    .filter(({ agents, specs }) => agents !== "never" && !specs.some(({ localFile }) => localFile))
    .map((command) => ({
      command,
      arguments: soundArguments[command.path] ?? requiredOf(command),
      workspace: "marketing",
    }));
}

function requiredOf({ specs }: Command): Record<string, unknown> {
  const needed = specs.filter(({ required }) => required);
  return Object.fromEntries(
    needed.map((spec) => {
      const value = valuesByName[spec.name] ?? valuesByKind[spec.names?.[0] ?? ""] ?? "x";
      return [spec.name, spec.repeatable && !Array.isArray(value) ? [value] : value];
    }),
  );
}

/** Each call broken in every way that fits it; what is random follows from the seed. */
export function brokenCalls(sound: readonly SoundCall[], seed: number): BrokenCall[] {
  const dice = new Dice(seed);
  return sound.flatMap((call, index) => [
    ...breakName(call, dice),
    ...breakArguments(call, dice),
    ...addNumber(call),
    ...breakChoice(call, dice),
    ...leaveOut(call),
    // As seldom as among the calls written by hand.
    ...(index % 3 === 0 ? [addUnknown(call, dice)] : []),
  ]);
}

let turn = 0;

/** By a tool or by a command route, in turns. */
function sent(
  call: SoundCall,
  kind: string,
  given: Record<string, unknown>,
  name = call.command.path,
): BrokenCall {
  turn += 1;
  const body = { arguments: given, workspace: call.workspace };
  const wayIn =
    turn % 2 === 0
      ? { tool: "commands_run", given: { command: name, ...body } }
      : { route: name.replace(" ", "/"), body };
  return { kind, ...wayIn, ...meaning(call) };
}

function meaning({ command, arguments: given, workspace }: SoundCall) {
  return { means: command.path, with: given, in: workspace };
}

function breakName(call: SoundCall, dice: Dice): BrokenCall[] {
  const { path, group, name } = call.command;
  const named = (kind: string, command: string) => sent(call, kind, call.arguments, command);
  const misspelled =
    name.length < 3
      ? []
      : [named("misspelled command", path === name ? slip(name, dice) : `${group} ${slip(name, dice)}`)];
  const isPlural = group !== name && group.endsWith("s");
  const unlisted: BrokenCall = {
    kind: "command as a tool",
    tool: toolName(call.command),
    given: { ...call.arguments, workspace: call.workspace },
    ...meaning(call),
  };
  return [
    ...misspelled,
    ...(isPlural ? [named("singular group", `${group.slice(0, -1)} ${name}`)] : []),
    ...(call.command.agents === "searchable" ? [unlisted] : []),
  ];
}

function breakArguments(call: SoundCall, dice: Dice): BrokenCall[] {
  return Object.entries(call.arguments).flatMap(([name, value]) => {
    const { [name]: _, ...others } = call.arguments;
    const wrong = sent(call, "misspelled argument", { ...others, [slip(name, dice)]: value });
    const isList = Array.isArray(value) && value.length === 1;
    return isList ? [wrong, sent(call, "text for a list", { ...call.arguments, [name]: value[0] })] : [wrong];
  });
}

function addNumber(call: SoundCall): BrokenCall[] {
  const numeric = call.command.specs.filter(({ type, repeatable }) => type === "integer" && !repeatable);
  return numeric.slice(0, 1).flatMap((spec) => {
    const least = spec.rules.minimum ?? 1;
    const highest = spec.rules.maximum ?? Number.MAX_SAFE_INTEGER;
    const meant = (value: number) => ({ with: { ...call.arguments, [spec.name]: value } });
    const few = Math.max(least, 1);
    const text = sent(call, "text for a number", { ...call.arguments, [spec.name]: String(few) });
    if (highest === Number.MAX_SAFE_INTEGER) return [{ ...text, ...meant(few) }];
    const large = sent(call, "limit too large", { ...call.arguments, [spec.name]: highest * 10 });
    return [
      { ...text, ...meant(few) },
      { ...large, ...meant(highest) },
    ];
  });
}

function breakChoice(call: SoundCall, dice: Dice): BrokenCall[] {
  const chosen = call.command.specs.filter(
    ({ choices = [] }) => choices.length > 1 && choices.every(({ length }) => length > 2),
  );
  return chosen.map((spec) => {
    const choice = pick(dice, spec.choices ?? []) as string;
    const [wrong, right] = [slip(choice, dice), choice].map((one) => (spec.repeatable ? [one] : one));
    const broken = sent(call, "misspelled choice", { ...call.arguments, [spec.name]: wrong });
    return { ...broken, with: { ...call.arguments, [spec.name]: right } };
  });
}

/** What lists things of the kind that is missing; without a kind, nothing can make up for it. */
const listings: Record<string, string> = {
  path: "files list",
  collection: "collections list",
  group: "groups list",
  person: "members list",
  operation: "operations list",
  trashed: "trash list",
  workspace: "workspaces list",
};

function leaveOut(call: SoundCall): BrokenCall[] {
  const needed = call.command.specs.filter(({ required }) => required);
  return needed.map((spec) => {
    const { [spec.name]: value, ...others } = call.arguments;
    const broken = sent(call, "missing argument", others);
    const listing = listings[spec.names?.[0] ?? ""];
    if (listing === undefined) return broken;
    const { with: _, in: __, ...rest } = broken;
    return { ...rest, means: listing, shows: shownOf(spec, value) };
  });
}

/** Of a path, a list of the top folder shows its first part. */
function shownOf({ names = [] }: ArgumentSpec, value: unknown): string {
  const [text] = [value].flat().map(String);
  return names[0] === "path" ? `/${text?.split("/")[1]}` : (text ?? "");
}

const unknownArguments = { verbose: true, format: "json", recursive: true, force: true, notify: false };

function addUnknown(call: SoundCall, dice: Dice): BrokenCall {
  const [name, value] = pick(dice, Object.entries(unknownArguments)) ?? ["verbose", true];
  // Some commands have one of these.
  const own = call.command.specs.some((spec) => spec.name === name);
  return sent(call, "extra argument", {
    ...call.arguments,
    ...(own ? { verbose: true } : { [name]: value }),
  });
}

/** A letter left out, doubled, or swapped with the next; never the first. */
function slip(word: string, dice: Dice): string {
  const at = dice.between(1, word.length - 2);
  const [before, letter, after, rest] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)];
  const slipped = pick(dice, [
    `${before}${after}${rest}`,
    `${before}${letter}${letter}${after}${rest}`,
    `${before}${after}${letter}${rest}`,
  ]);
  return slipped === word ? `${before}${after}${rest}` : (slipped as string);
}

function pick<T>(dice: Dice, from: readonly T[]): T | undefined {
  return from[dice.between(0, from.length - 1)];
}
