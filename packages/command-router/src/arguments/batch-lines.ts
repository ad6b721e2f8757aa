import { ProblemError } from "@svc/protocol/problem";
import { split } from "shlex";
import type { Catalog, Command } from "../catalog.ts";
import { parseArgv } from "./parse-argv.ts";
import { echo } from "./usage-error.ts";

/** One line of a call that holds several. */
export interface Part<Context> {
  /** Counted from 1, with comments and empty lines. */
  number: number;
  command: Command<Context>;
  arguments: Record<string, unknown>;
  /** If the line names one. */
  workspace?: string | undefined;
}

export const mostParts = 200;

interface Holding<Context> {
  command: Command<Context>;
  arguments: unknown;
}

/** Reads the lines that a call holds, once, as if each had been typed. Undefined for commands that hold none. */
export function partsOf<Context>(
  catalog: Catalog<Context>,
  call: Holding<Context>,
): (() => Part<Context>[]) | undefined {
  if (!call.command.holdsLines) return undefined;
  let parts: Part<Context>[] | undefined;
  return () => {
    parts ??= readParts(catalog, call);
    return parts;
  };
}

function readParts<Context>(
  catalog: Catalog<Context>,
  { command, arguments: given }: Holding<Context>,
): Part<Context>[] {
  const parsed = command.arguments.safeParse(given);
  // Whatever is wrong with it is said in its turn.
  if (!parsed.success) return [];
  const { lines } = parsed.data as { lines: string[] };
  const written = lines
    .flatMap((text) => text.split("\n"))
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => !/^\s*(?:#|$)/.test(line));
  if (written.length === 0) throw new ProblemError("usage", "There are no lines to run.");
  if (written.length > mostParts) {
    throw new ProblemError("usage", `These are ${written.length} lines, and ${mostParts} are the most.`, {
      hint: "Run them in several batches.",
    });
  }
  return written.map(({ line, number }) => ({
    number,
    ...inLine(number, line, () => readPart(catalog, line)),
  }));
}

/** Says which line went wrong. What points at words of a typed line is left out: these were not typed. */
export function inLine<T>(number: number, line: string, work: () => T): T {
  const explain = (error: unknown): never => {
    if (!(error instanceof ProblemError)) throw error;
    const { code, message, hint } = error;
    throw new ProblemError(
      code,
      `Line ${number}, \`${echo(line)}\`: ${message}`,
      hint === undefined ? {} : { hint },
    );
  };
  try {
    const result = work();
    return result instanceof Promise ? (result.catch(explain) as T) : result;
  } catch (error) {
    return explain(error);
  }
}

function readPart<Context>(catalog: Catalog<Context>, line: string): Omit<Part<Context>, "number"> {
  const words = wordsOf(line);
  const parsed = parseArgv(catalog, words[0] === "svc" ? words.slice(1) : words);
  if (parsed.kind === "help") throw new ProblemError("usage", "Help is not a change.");
  const { command, dryRun, confirm, arguments: args, workspace } = parsed;
  if (dryRun || confirm !== undefined) {
    throw new ProblemError("usage", "--dry-run and --confirm belong to the whole batch.");
  }
  requireFits(command);
  return { command, arguments: args, workspace };
}

function wordsOf(line: string): string[] {
  // Codes for characters: whoever approves or audits the line could not read it.
  if (line.includes("$'")) throw new ProblemError("usage", "$'…' is not understood here.");
  try {
    return split(line);
  } catch {
    throw new ProblemError("usage", "A quotation mark is not closed.");
  }
}

/** So that one undo takes everything back, and nobody approves what they cannot read. */
function requireFits(command: Command<never>): void {
  const why = whyNot(command);
  if (why === undefined) return;
  throw new ProblemError("usage", `\`${command.path}\` cannot be in a batch, because it ${why}.`, {
    hint: "Run it by itself.",
  });
}

function whyNot({ undo, specs, holdsLines, effect, agents }: Command<never>): string | undefined {
  if (effect === "read") return "changes nothing";
  if (holdsLines) return "is one itself";
  if (undo === undefined) return "cannot be undone";
  if (agents === "never") return "sets what others may do";
  if (specs.some(({ localFile }) => localFile)) return "needs a local file";
  return specs.some(({ secret }) => secret) ? "has a secret" : undefined;
}
