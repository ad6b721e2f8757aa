import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import type { Readable } from "node:stream";
import { FairShares, type Share } from "@svc/fair-shares/fair-shares";
import { confinedNode } from "./confinement.ts";
import { readerLimits } from "./reader-limits.ts";
import { readerProgram } from "./reader-program.ts";
import { type Outcome, outcomes, type ParsedFormat } from "./readers/extraction.ts";
import { maxTextBytes } from "./readers/extraction-limits.ts";
import { storable } from "./readers/storable.ts";

export interface ReaderResult {
  outcome: Outcome;
  text: string;
  mediaType?: string;
}

export interface ReadingOptions {
  signal?: AbortSignal | undefined;
  share?: Share | undefined;
}

/**
 * A reader keeps a core busy; many more of them than cores would only run into their time limit together. Of twice the
 * cores a tenant alone gets a third, so another tenant's document need not wait for a hostile one to end.
 */
const readers = new FairShares({ slots: Math.max(4, 2 * availableParallelism()), maxWaiting: 10_000 });

const anybody: Share = { tenant: "anybody", member: "anybody" };

/** Reads the document behind a descriptor in a separate process, and always ends that process. */
export async function runReader(
  format: ParsedFormat,
  document: number,
  { signal, share = anybody }: ReadingOptions = {},
): Promise<ReaderResult> {
  // No limit on the wait: a document that nobody has started to read has not taken too long. The call's signal ends it.
  return readers.run(share, () => read(format, document, signal), { signal });
}

async function read(
  format: ParsedFormat,
  document: number,
  signal: AbortSignal | undefined,
): Promise<ReaderResult> {
  try {
    const child = await startReader(format, document);
    return await watch(child, signal);
  } catch (error) {
    signal?.throwIfAborted();
    // Neither the document nor the upload is at fault: somebody has to look at this machine.
    process.emitWarning(`could not read a document: ${error}`);
    return { outcome: "failed", text: "" };
  }
}

async function startReader(format: ParsedFormat, document: number): Promise<ChildProcess> {
  const [program, { command, args }] = await Promise.all([readerProgram(), confinedNode()]);
  // The program is passed on standard input, the document as descriptor 3; the result comes back on 4.
  const child = spawn(command, [...args, "--input-type=module", "-", format], {
    env: {},
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore", document, "pipe"],
  });
  // The process may die before it has read all of it.
  child.stdin?.on("error", () => {});
  child.stdin?.end(program);
  return child;
}

async function watch(child: ChildProcess, signal: AbortSignal | undefined): Promise<ReaderResult> {
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  // Awaited below; until then a failed start must not be an unhandled rejection.
  closed.catch(() => {});
  const deadline = AbortSignal.timeout(readerLimits.wallMillis);
  const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const kill = () => killGroup(child);
  stop.addEventListener("abort", kill, { once: true });
  try {
    if (stop.aborted) kill();
    const { text, outcome } = await collect(child.stdio[4] as Readable);
    // It has finished, or said too much, or is dead.
    kill();
    const [, killedBy] = await closed;
    signal?.throwIfAborted();
    const isLate = deadline.aborted || killedBy === "SIGXCPU";
    return { text, ...(parseOutcome(outcome) ?? { outcome: isLate ? "timeout" : "crash" }) };
  } finally {
    stop.removeEventListener("abort", kill);
    kill();
  }
}

/** Text, NUL, outcome, to the end; if a reader ignores our limit, no more than the limit. */
async function collect(output: Readable): Promise<{ text: string; outcome: string }> {
  // Decoded as it arrives, so that the whole text is never held as bytes too.
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let outcome: string | undefined;
  let length = 0;
  for await (const chunk of output as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxTextBytes + maxOutcomeBytes) break;
    if (outcome !== undefined) {
      outcome += chunk.toString();
      continue;
    }
    const end = chunk.indexOf(0);
    pieces.push(decoder.decode(end === -1 ? chunk : chunk.subarray(0, end), { stream: true }));
    if (end !== -1) outcome = chunk.toString("utf8", end + 1);
  }
  return { text: storable(pieces.join("")), outcome: outcome ?? "" };
}

const maxOutcomeBytes = 1024;

/** Undefined if a reader died before it reported one. */
function parseOutcome(json: string): Omit<ReaderResult, "text"> | undefined {
  if (json === "") return undefined;
  try {
    const { outcome, mediaType } = JSON.parse(json) as Partial<ReaderResult>;
    if (outcome === undefined || !outcomes.includes(outcome)) return undefined;
    return { outcome, ...(isMediaType(mediaType) ? { mediaType } : {}) };
  } catch {
    return undefined;
  }
}

/**
 * Formats declare their own type, so it may be anything: only something that looks like a media type may go into a
 * header and a column.
 */
function isMediaType(value: unknown): value is string {
  return typeof value === "string" && /^[\w.+-]{1,40}\/[\w.+-]{1,100}$/.test(value);
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
