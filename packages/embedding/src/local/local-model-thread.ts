import { parentPort, workerData } from "node:worker_threads";
import { localModel } from "./local-model.ts";
import { type RunState, withinRun } from "./run-state.ts";

/**
 * What runs in the thread of `local-model-runner.ts`: tokens in, a vector out, one after the other. The runtime
 * blocks the calling thread from the first to the last multiplication.
 */
const { weights, run } = workerData as { weights: string; run: RunState };
const { InferenceSession, Tensor } = await loadRuntime();
const session = await InferenceSession.create(weights, {
  executionProviders: ["cpu"],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  logSeverityLevel: 3,
});

/** An empty list of tokens ends the thread. Answers come in the order of the requests, including the last one. */
export type Asked = readonly number[];
export type Answered = { vector: Float32Array<ArrayBuffer> } | { failure: unknown };

let turn: Promise<void> = Promise.resolve();
parentPort?.on("message", (tokens: Asked) => {
  turn = turn.then(() => (tokens.length > 0 ? answer(tokens) : end()));
});
parentPort?.postMessage("ready");

/** An optional dependency of a few hundred megabytes: other embedders do not need it. */
async function loadRuntime(): Promise<typeof import("onnxruntime-node")> {
  try {
    return await import("onnxruntime-node");
  } catch (cause) {
    throw new Error(
      "The local embedder needs the package onnxruntime-node, which is not installed or does not run on this " +
        "system. Install it (`npm install --include=optional`), or choose another embedder.",
      { cause },
    );
  }
}

async function answer(tokens: Asked): Promise<void> {
  try {
    const vector = await withinRun(run, () => embed(tokens));
    parentPort?.postMessage({ vector } satisfies Answered, [vector.buffer]);
  } catch (failure) {
    parentPort?.postMessage({ failure } satisfies Answered);
  }
}

/** Releasing a session while it runs crashes the process. */
async function end(): Promise<void> {
  await session.release();
  parentPort?.close();
}

async function embed(tokens: Asked): Promise<Float32Array<ArrayBuffer>> {
  const shape = [1, tokens.length];
  const { last_hidden_state: hidden } = await session.run({
    input_ids: new Tensor("int64", BigInt64Array.from(tokens, BigInt), shape),
    attention_mask: new Tensor("int64", new BigInt64Array(tokens.length).fill(1n), shape),
    token_type_ids: new Tensor("int64", new BigInt64Array(tokens.length), shape),
  });
  const mean = meanOfTokens(hidden?.data as Float32Array, tokens.length);
  hidden?.dispose();
  return mean;
}

/** Not divided by their number: every vector is normalised to length 1 afterwards. */
function meanOfTokens(hidden: Float32Array, tokens: number): Float32Array<ArrayBuffer> {
  const { dimensions } = localModel;
  const sum = new Float32Array(dimensions);
  for (let token = 0; token < tokens; token += 1) {
    for (let index = 0; index < dimensions; index += 1) {
      sum[index] = (sum[index] as number) + (hidden[token * dimensions + index] as number);
    }
  }
  return sum;
}
