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

/** Reads the document behind a descriptor in a process of its own, and ends that process whatever happens. */
export async function runReader(
  format: ParsedFormat,
  document: number,
  { signal, share = anybody }: ReadingOptions = {},
): Promise<ReaderResult> {
  // No limit on the wait: a document that nobody began to read has not taken too long. The call's signal ends it.
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
    // Not the document's fault, and not the upload's: somebody has to look at this machine.
    process.emitWarning(`A document could not be read: ${error}`);
    return { outcome: "failed", text: "" };
  }
}

async function startReader(format: ParsedFormat, document: number): Promise<ChildProcess> {
  const [program, { command, args }] = await Promise.all([readerProgram(), confinedNode()]);
  // The program comes in by standard input, the document as descriptor 3; the result goes out by 4.
  const child = spawn(command, [...args, "--input-type=module", "-", format], {
    env: {},
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore", document, "pipe"],
  });
  // It may die before it has read all of it.
  child.stdin?.on("error", () => {});
  child.stdin?.end(program);
  return child;
}

async function watch(child: ChildProcess, signal: AbortSignal | undefined): Promise<ReaderResult> {
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  // Awaited below; until then nobody has to hear that it could not be started.
  closed.catch(() => {});
  const deadline = AbortSignal.timeout(readerLimits.wallMillis);
  const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const kill = () => killGroup(child);
  stop.addEventListener("abort", kill, { once: true });
  try {
    if (stop.aborted) kill();
    const { text, outcome } = await collect(child.stdio[4] as Readable);
    // It has said all it has to say, or too much, or is dead.
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

/** Text, NUL, outcome, to its end; of a reader that ignores our limit, no more than that. */
async function collect(output: Readable): Promise<{ text: string; outcome: string }> {
  // Decoded as it comes: at no time is all of it held as bytes as well.
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

/** Nothing where a reader died before it could say one. */
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

/** Formats name their own, so it may be anything: what goes into a header and a column has to look like one. */
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
