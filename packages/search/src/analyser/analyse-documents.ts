import { availableParallelism } from "node:os";
import { Tinypool } from "tinypool";
import { type AnalysedDocument, analyseDocument } from "./analyse-document.ts";
import { inGroups } from "./in-groups.ts";

type Analysable = Parameters<typeof analyseDocument>[0];

/** On the caller's thread: at most some 15 ms. A megabyte of noise would take a second. */
const mostHere = 10_000;
/** What one message to a thread holds. Copying a megabyte takes 1 ms. */
const mostAtOnce = 100_000;

/**
 * Long texts are analysed by other threads, so that the process answers others meanwhile. Slices would not do: a text
 * without spaces is one word, which Unicode normalises in one go.
 */
export async function analyseDocuments(documents: readonly Analysable[]): Promise<AnalysedDocument[]> {
  const characters = documents.reduce((sum, document) => sum + sizeOf(document), 0);
  if (characters <= mostHere) return documents.map(analyseDocument);
  threads ??= startThreads();
  const running = threads;
  const sent = documents.map(({ name, text }) => ({ name, text }));
  const groups = [...inGroups(sent, sizeOf, mostAtOnce)];
  const analysed = await Promise.all(groups.map((group): Promise<AnalysedDocument[]> => running.run(group)));
  return analysed.flat();
}

/** Started by the first long text; while idle, they keep no process alive. */
let threads: Tinypool | undefined;

function startThreads(): Tinypool {
  const started = new Tinypool({
    filename: new URL("./analysis-thread.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: Math.max(1, availableParallelism() - 1),
    idleTimeout: 60_000,
    // What was loaded into the process for its main thread is not for these.
    execArgv: [],
  });
  // Of a thread that nobody waits for. It is replaced; without a listener the process would end.
  started.on("error", (error: Error) => process.emitWarning(error));
  return started;
}

function sizeOf({ name, text }: Analysable): number {
  return name.length + text.length;
}
