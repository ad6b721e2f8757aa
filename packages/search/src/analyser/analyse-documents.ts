import { availableParallelism } from "node:os";
import { Tinypool } from "tinypool";
import { type AnalysedDocument, analyseDocument } from "./analyse-document.ts";
import { inGroups } from "./in-groups.ts";

type Analysable = Parameters<typeof analyseDocument>[0];

/** On the caller's thread: at most about 15 ms. A megabyte of noise would take a second. */
const mostHere = 10_000;
/** The size of one message to a thread. Copying a megabyte takes 1 ms. */
const mostAtOnce = 100_000;

/**
 * Other threads analyse long texts, so that the process answers others meanwhile. Slicing would not help: a text
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

/** Started by the first long text; idle threads do not keep the process alive. */
let threads: Tinypool | undefined;

function startThreads(): Tinypool {
  const started = new Tinypool({
    filename: new URL("./analysis-thread.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: availableParallelism(),
    idleTimeout: 60_000,
    // Modules preloaded for the main thread are not for these threads.
    execArgv: [],
  });
  // An error of a thread that nobody waits for. The thread is replaced; without a listener the process would end.
  started.on("error", (error: Error) => process.emitWarning(error));
  return started;
}

function sizeOf({ name, text }: Analysable): number {
  return name.length + text.length;
}
