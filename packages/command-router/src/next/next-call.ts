import type { Next } from "@svc/protocol/next";
import { ProblemError } from "@svc/protocol/problem";
import { type IdKind, idPrefixes } from "@svc/protocol/typed-id";
import { hasStackedMarks } from "@svc/unicode/stacked-marks";
import { parseAddress } from "../arguments/address.ts";
import type { ArgumentSpec } from "../arguments/argument-spec.ts";
import type { ValueKind } from "../arguments/value-kind.ts";
import type { CommandFacts } from "../catalog.ts";
import { isAi, isGrave } from "../decide.ts";
import { mayRun, type Runner } from "../require-may-run.ts";
import { correctArguments, isRecord } from "./correct-arguments.ts";

/** A call that was refused, as far as it was understood. */
export interface RefusedCall {
  command: CommandFacts;
  arguments: unknown;
  /** If the call itself names one. An ambient one is sent with the next call too. */
  workspace?: string | undefined;
  dryRun?: boolean | undefined;
  confirm?: string | undefined;
  /** It is not what was typed or sent, but what that meant, so it is worth a try as it is. */
  isReworded?: boolean;
  /** Not even the command's name was typed, or nearly. */
  isGuess?: boolean;
}

/** What may stand in `next`: the commands that this way in offers, and who calls. */
export interface Surroundings {
  commands: readonly CommandFacts[];
  runner: Runner;
}

/** What is longer costs a caller more than thinking again. */
const longestNext = 2_000;

/**
 * What to call after this refusal. It is made from the caller's own call, the catalog, and what a feature says with the
 * error; so it tells nothing that the refusal does not tell.
 */
export function nextAfter(error: ProblemError, call: RefusedCall, around: Surroundings): Next | undefined {
  if (!isSimple(call.arguments)) return undefined;
  const next = proposed(error, call, around);
  return next && completed(next, call, around);
}

function proposed(error: ProblemError, call: RefusedCall, around: Surroundings): Next | undefined {
  const { command, arguments: given } = call;
  if (call.isReworded || error.code === "invalid_arguments" || error.code === "invalid_request") {
    return correctedCall(call, around);
  }
  if (error.next === "preview") {
    return isRecord(given) ? { command: command.path, arguments: given } : undefined;
  }
  const isAbsent = error.code === "not_found" || error.code === "usage";
  return (isAbsent ? ofItsKind(call, around) : undefined) ?? inOwnWords(error.next, call, around);
}

/** The same command with what was meant, or a list of what it needs. */
function correctedCall(call: RefusedCall, { commands }: Surroundings): Next | undefined {
  const { command } = call;
  const corrected = correctArguments(command, call.arguments);
  if (!corrected) return undefined;
  const place = corrected.workspace === undefined ? {} : { workspace: corrected.workspace };
  const [lacking] = corrected.missing;
  if (!lacking) return { command: command.path, arguments: corrected.arguments, ...place };
  const listing = listingOf(lacking, commands);
  const asked = { ...call, arguments: corrected.arguments };
  return listing && inItsPlace({ command: listing.path, arguments: {}, ...place }, asked, listing);
}

function listingOf(
  { names = [] }: ArgumentSpec,
  commands: readonly CommandFacts[],
): CommandFacts | undefined {
  return commands.find(({ lists }) => lists !== undefined && names[0] === lists);
}

/** Of an id that the command takes no things of: the command that shows it. */
function ofItsKind({ command, arguments: given }: RefusedCall, { commands }: Surroundings): Next | undefined {
  for (const spec of command.specs) {
    const id: unknown = Object(given)[spec.name];
    const [, prefix] = typedId.exec(typeof id === "string" ? id : "") ?? [];
    const showing = commands.find(({ shows }) => shows !== undefined && idPrefixes[shows] === prefix);
    const [name] = showing?.positionals ?? [];
    if (!showing || name === undefined || fits(spec, command, showing)) continue;
    return { command: showing.path, arguments: { [name]: id } };
  }
  return undefined;
}

const kindsOf: Partial<Record<ValueKind, readonly IdKind[]>> = {
  path: ["file", "folder"],
  trashed: ["file", "folder"],
  collection: ["collection"],
  workspace: ["workspace"],
  group: ["group"],
  operation: ["operation"],
};

/** Whether the argument takes things of the kind that the other command shows; if it does not say, whether they share a group. */
function fits({ names }: ArgumentSpec, command: CommandFacts, { shows, group }: CommandFacts): boolean {
  if (command.group === group && names === undefined) return true;
  return names?.some((kind) => shows !== undefined && kindsOf[kind]?.includes(shows)) ?? false;
}

/** Something that the caller can call as it is and that changes nothing, or nothing at all. */
function completed(next: Next, call: RefusedCall, { commands, runner }: Surroundings): Next | undefined {
  const command = commands.find(({ path }) => path === next.command);
  if (!command || !mayRun(command, runner)) return undefined;
  // guard: guesses-are-not-grave
  if (call.isGuess && command === call.command && isGrave(command)) return undefined;
  // What is secret is not repeated.
  if (command.specs.some(({ secret }) => secret)) return undefined;
  if (!command.arguments.safeParse(next.arguments).success) return undefined;
  // The one that was named may be what does not exist.
  const isLookUp = command.path !== call.command.path;
  const workspace =
    next.workspace ?? (isLookUp && command.lists === "workspace" ? undefined : call.workspace);
  // An agent's call without a token is a preview anyway.
  // guard: next-changes-nothing
  const isHarmless = command.effect === "read" || isAi(runner);
  const whole: Next = {
    command: next.command,
    arguments: next.arguments,
    ...(workspace === undefined ? {} : { workspace }),
    ...(isHarmless ? {} : { dryRun: true as const }),
  };
  return isSame(whole, call) || JSON.stringify(whole).length > longestNext ? undefined : whole;
}

/**
 * What a feature proposes, if the caller wrote every text in it, or it is an id. A name that somebody else wrote could
 * be an instruction, and an agent calls `next` as it is.
 */
function inOwnWords(next: Next | undefined, call: RefusedCall, { commands }: Surroundings): Next | undefined {
  if (!next) return undefined;
  const plain = (text: string) => text.normalize("NFC").toLowerCase().replace(/^\//, "");
  const written = textsOf([call.arguments, call.workspace]).map(plain);
  const command = commands.find(({ path }) => path === next.command);
  const isChoice = (text: string) => command?.specs.some(({ choices }) => choices?.includes(text));
  const isOwn = (text: string) =>
    typedId.test(text) || isChoice(text) || written.some((one) => one.includes(plain(text)));
  // guard: next-is-in-the-callers-words
  const isTheirs = textsOf([next.arguments, next.workspace]).every(isOwn);
  return isTheirs ? inItsPlace(next, call, command) : undefined;
}

/** With the workspace that an address names: of what is looked up, else the one that all addresses of the call name. */
function inItsPlace(next: Next, call: RefusedCall, command: CommandFacts | undefined): Next {
  if (!command || command.lists === "workspace") return next;
  const looked = addressesIn(next.arguments, command.specs);
  const [place] = looked;
  const asked = addressesIn(call.arguments, call.command.specs)
    .filter(({ rest }) => !place || rest.startsWith(place.rest))
    .map(({ workspace }) => workspace);
  const named = new Set(asked).size === 1 ? asked[0] : undefined;
  const workspace = next.workspace ?? place?.workspace ?? named;
  const plain = Object.fromEntries(looked.map(({ name, rest }) => [name, rest]));
  return {
    command: next.command,
    arguments: { ...next.arguments, ...plain },
    ...(workspace === undefined ? {} : { workspace }),
  };
}

function addressesIn(given: unknown, specs: readonly ArgumentSpec[]) {
  return specs.flatMap(({ name, address }) => {
    const text: unknown = Object(given)[name];
    return address && typeof text === "string" ? [{ name, ...parseAddress(text, address) }] : [];
  });
}

const typedId = /^([a-z]+)_[0-9a-z]{26}$/;

/**
 * Texts, numbers and lists of them, as every argument is. Nothing has looked at it yet: going through what is nested
 * deeply ends in an overflow, and normalising a text with stacked marks takes long.
 */
function isSimple(given: unknown): boolean {
  const values = Object.values(Object(given)).flatMap((value) =>
    isObject(value) ? Object.values(value) : [value],
  );
  return !values.some(isObject) && !textsOf(values).some(hasStackedMarks);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Every text in it, also in lists. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return isObject(value) ? Object.values(value).flatMap(textsOf) : [];
}

/** It would be refused again. */
function isSame(next: Next, call: RefusedCall): boolean {
  if (call.isReworded || call.confirm !== undefined || call.command.path !== next.command) return false;
  const asked = JSON.stringify([call.arguments, call.workspace, call.dryRun === true]);
  return asked === JSON.stringify([next.arguments, next.workspace, next.dryRun === true]);
}

/** Says with the error what to call next. Errors that are none of ours stay what they are. */
export function withNext(error: unknown, next: (problem: ProblemError) => Next | undefined): unknown {
  return error instanceof ProblemError ? error.withNext(next(error)) : error;
}
