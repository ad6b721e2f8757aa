import { existsSync } from "node:fs";
import { join } from "node:path";
import type { EmbeddingProvider } from "../embedding-provider.ts";
import { loadTokenizer } from "./load-tokenizer.ts";
import { localModel, localModelFolder } from "./local-model.ts";
import { LocalModelRunner } from "./local-model-runner.ts";

/** Short enough that the model does not wait for a busy thread, and that a cancelled caller is not kept for long. */
const sentAhead = 4;

export async function localProvider(folder = localModelFolder()): Promise<EmbeddingProvider> {
  const weights = join(folder, localModel.weights);
  if (!existsSync(weights)) {
    throw new Error(
      `There is no local model: ${weights} is missing. Download it with \`npm run models:fetch\`.`,
    );
  }
  const encode = await loadTokenizer(folder);
  const runner = await LocalModelRunner.start(weights);
  const inTurn = turns(sentAhead);
  const underWay = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  return {
    model: localModel.name,
    maxTokens: localModel.maxTokens,
    dimensions: localModel.dimensions,
    languages: localModel.languages,
    leastSimilarity: localModel.leastSimilarity,
    // This many in a row: of two callers, one gets all answers while the other waits, instead of both finishing at the
    // very end.
    perRequest: { texts: 16, tokens: Number.POSITIVE_INFINITY },
    countTokens: (text) => encode(text).length,
    embed: async (texts, { signal }) => {
      if (closed !== undefined) throw new Error("This embedder is closed.");
      // One by one: results of eight-bit weights depend on the rest of the batch.
      const embedOne = async (text: string) => {
        signal.throwIfAborted();
        const tokens = encode(text);
        return { vector: await runner.run(tokens), tokens: tokens.length };
      };
      const embedding = Promise.all(texts.map((text) => inTurn(() => embedOne(text))));
      underWay.add(embedding);
      const embedded = await embedding.finally(() => underWay.delete(embedding));
      return {
        vectors: embedded.map(({ vector }) => vector),
        tokens: embedded.reduce((sum, { tokens }) => sum + tokens, 0),
      };
    },
    close: () => {
      closed ??= Promise.allSettled(underWay).then(() => runner.close());
      return closed;
    },
  };
}

/** First come, first served, with a limit on concurrency. */
function turns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
