import { existsSync } from "node:fs";
import { join } from "node:path";
import type { InferenceSession } from "onnxruntime-node";
import type { EmbeddingProvider } from "./embedding-provider.ts";
import { loadTokenizer } from "./load-tokenizer.ts";
import { localModel, localModelFolder } from "./local-model.ts";

export async function localProvider(folder = localModelFolder()): Promise<EmbeddingProvider> {
  const weights = join(folder, localModel.weights);
  if (!existsSync(weights)) {
    throw new Error(
      `There is no local model: ${weights} is missing. Bring it with \`npm run models:fetch\`.`,
    );
  }
  const { InferenceSession, Tensor } = await loadRuntime();
  const encode = await loadTokenizer(folder);
  const session = await InferenceSession.create(weights, {
    executionProviders: ["cpu"],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  // In turn: one core is what it may take, and a session that is released while it runs takes the process with it.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };
  let closed: Promise<void> | undefined;

  return {
    model: localModel.name,
    maxTokens: localModel.maxTokens,
    dimensions: localModel.dimensions,
    languages: localModel.languages,
    leastSimilarity: localModel.leastSimilarity,
    // A turn each: of two who ask, one has his answers while the other waits, instead of both at the very end.
    perRequest: { texts: 16, tokens: Number.POSITIVE_INFINITY },
    countTokens: (text) => encode(text).length,
    embed: async (texts, { signal }) => {
      if (closed !== undefined) throw new Error("This embedder is closed.");
      return await inTurn(async () => {
        const encoded = texts.map(encode);
        const vectors: Float32Array[] = [];
        // One by one: what comes out of eight-bit weights depends on what else is in the batch.
        for (const ids of encoded) {
          signal.throwIfAborted();
          vectors.push(await run(session, Tensor, ids));
        }
        return { vectors, tokens: encoded.reduce((sum, ids) => sum + ids.length, 0) };
      });
    },
    close: () => {
      closed ??= inTurn(() => session.release());
      return closed;
    },
  };
}

type Runtime = typeof import("onnxruntime-node");

/** An optional dependency of some hundred megabytes: who embeds elsewhere goes without. */
async function loadRuntime(): Promise<Runtime> {
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

async function run(
  session: InferenceSession,
  Tensor: Runtime["Tensor"],
  ids: number[],
): Promise<Float32Array> {
  const shape = [1, ids.length];
  const { last_hidden_state: hidden } = await session.run({
    input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), shape),
    attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new Tensor("int64", new BigInt64Array(ids.length), shape),
  });
  const mean = meanOfTokens(hidden?.data as Float32Array, ids.length);
  hidden?.dispose();
  return mean;
}

/** Not divided by their number: every vector is made one of length 1 afterwards. */
function meanOfTokens(hidden: Float32Array, tokens: number): Float32Array {
  const { dimensions } = localModel;
  const sum = new Float32Array(dimensions);
  for (let token = 0; token < tokens; token += 1) {
    for (let index = 0; index < dimensions; index += 1) {
      sum[index] = (sum[index] as number) + (hidden[token * dimensions + index] as number);
    }
  }
  return sum;
}
