import { type Embedded, embeddingDimensions } from "./embedder.ts";
import { EmbeddingFailure } from "./embedding-failure.ts";
import type { ProviderAnswer } from "./embedding-provider.ts";

/** Every vector of every provider passes through here. */
export function checkAnswer(
  answer: ProviderAnswer,
  asked: number,
  { model, dimensions }: { model: string; dimensions: number },
): Embedded {
  const { vectors, tokens } = answer;
  if (!Array.isArray(vectors)) throw malformed(model, "without vectors");
  if (vectors.length !== asked) throw malformed(model, `with ${vectors.length} vectors to ${asked} texts`);
  return {
    vectors: vectors.map((vector: unknown) => toUnitVector(vector, model, dimensions)),
    tokens: Number.isSafeInteger(tokens) && Number(tokens) >= 0 ? Number(tokens) : undefined,
  };
}

function toUnitVector(vector: unknown, model: string, dimensions: number): Float32Array {
  if (!Array.isArray(vector) && !(vector instanceof Float32Array)) {
    throw malformed(model, "with something that is not a vector");
  }
  if (vector.length !== dimensions) {
    const hint = "If that is the model's own size, set `dimensions` to it.";
    const how = `with ${vector.length} dimensions instead of ${dimensions}. ${hint}`;
    throw new EmbeddingFailure("unusable", `${model} was answered ${how}`);
  }
  const unit = new Float32Array(embeddingDimensions);
  let squares = 0;
  for (const [index, value] of vector.entries()) {
    if (typeof value !== "number") throw malformed(model, "with a vector that does not consist of numbers");
    unit[index] = value;
    squares += (unit[index] as number) ** 2;
  }
  const norm = Math.sqrt(squares);
  // NaN and infinity in any position end up in the norm.
  if (!Number.isFinite(norm) || norm === 0) throw malformed(model, `with a vector of norm ${norm}`);
  return unit.map((value) => value / norm);
}

function malformed(model: string, how: string): EmbeddingFailure {
  return new EmbeddingFailure("malformed", `${model} was answered ${how}`);
}
