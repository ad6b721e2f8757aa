import { createHash } from "node:crypto";
import type { Database, TenantScope } from "@svc/database/database";
import { EmbeddingFailure } from "@svc/embedding/embedding-failure";
import { findResult, keepResults } from "@svc/search/vectors/embedding-results";
import { toHalfvec } from "@svc/search/vectors/halfvec";
import { LRUCache } from "lru-cache";
import { attribute, originOf } from "../../../../platform/process/dependency.ts";
import type { Log } from "../../../../platform/process/log.ts";
import type { Embedders, PricedEmbedder } from "../../../../platform/search/embedders.ts";
import { type MeaningObstacle, meaningObstacles } from "../../../../platform/search/meaning-obstacles.ts";
import type { QueryVector, QueryVectors } from "../../../../platform/search/query-vectors.ts";
import { callForMoney } from "../../../budget/budget.ts";

const purpose = "query";
const usual = {
  /** How long a search waits. The model may continue: its answer is paid for, and serves the next search. */
  waitMillis: 1_000,
  answerMillis: 10_000,
  /** How long a failed model is not called: otherwise every search would wait for it. */
  restMillis: 5_000,
  entries: 1_000,
  startTimer: (end: () => void, millis: number): NodeJS.Timeout | undefined => setTimeout(end, millis),
};

const mostModels = 100;

const tooSlow: QueryVector = meaningObstacles.noAnswerInTime;

/** Vectors of queries: from the memory of this process, from the tenant's table, or from the model and its budget. */
export class BudgetedQueryVectors implements QueryVectors {
  readonly #database: Pick<Database, "withTenant" | "clock">;
  readonly #embedders: Embedders;
  readonly #options: typeof usual;
  readonly #vectors: LRUCache<string, string>;
  readonly #asked = new Map<string, Promise<QueryVector>>();
  /** Models that failed, and what to answer instead of asking them. */
  readonly #resting: LRUCache<string, QueryVector>;

  constructor(
    database: Pick<Database, "withTenant" | "clock">,
    embedders: Embedders,
    options: Partial<typeof usual> = {},
  ) {
    this.#database = database;
    this.#embedders = embedders;
    this.#options = { ...usual, ...options };
    this.#vectors = new LRUCache({ max: this.#options.entries });
    this.#resting = new LRUCache({ max: mostModels, ttl: this.#options.restMillis, ttlResolution: 0 });
  }

  get usualModel(): string | undefined {
    return this.#embedders.usual?.embedder.model;
  }

  get models(): readonly string[] {
    return this.#embedders.models;
  }

  factsOf(model: string) {
    return this.#embedders.of(model)?.embedder;
  }

  priceOf(model: string, tokens: number): bigint | undefined {
    return this.#embedders.of(model)?.price(tokens);
  }

  known(tenantId: string, model: string, text: string): QueryVector | undefined {
    const vector = this.#vectors.get(keyOf(tenantId, model, text).key);
    return vector === undefined ? undefined : { vector };
  }

  async of(scope: TenantScope, model: string, text: string, log: Log): Promise<QueryVector> {
    const known = this.known(scope.tenantId, model, text);
    if (known) return known;
    const { key, hash } = keyOf(scope.tenantId, model, text);
    const priced = this.#embedders.of(model);
    if (!priced) return meaningObstacles.noSuchEmbedder(model);
    const asked = this.#asked.get(key) ?? this.#find(scope, priced, { text, hash, key }, log);
    // guard: equal-queries-ask-once
    this.#asked.set(key, asked);
    return await firstOf(asked, this.#options, () => {
      this.#rest(model, tooSlow);
      return tooSlow;
    });
  }

  async #find(
    scope: TenantScope,
    priced: PricedEmbedder,
    query: { text: string; hash: string; key: string },
    log: Log,
  ): Promise<QueryVector> {
    const { model } = priced.embedder;
    try {
      const stored = await this.#database.withTenant(scope, "read", (transaction) =>
        findResult(transaction, { model, purpose, key: query.hash, now: transaction.now }),
      );
      if (stored !== undefined) {
        this.#vectors.set(query.key, stored);
        return { vector: stored };
      }
      const insteadOfAsking = this.#resting.get(model);
      // guard: slow-models-rest
      if (insteadOfAsking) return insteadOfAsking;
      return await this.#ask(scope, priced, query, log);
    } catch (error) {
      log.error({ err: error, dependency: originOf(error), model }, "a query could not be embedded");
      return meaningObstacles.failed;
    } finally {
      this.#asked.delete(query.key);
    }
  }

  async #ask(
    scope: TenantScope,
    priced: PricedEmbedder,
    { text, hash, key }: { text: string; hash: string; key: string },
    log: Log,
  ): Promise<QueryVector> {
    const { embedder } = priced;
    const { model } = embedder;
    const clock = await this.#database.clock();
    const payer = { database: this.#database, scope, purpose, priced, log, clock } as const;
    try {
      const called = await callForMoney(payer, {
        mostTokens: Math.min(embedder.countTokens(text), embedder.maxTokens),
        call: async () => {
          const signal = AbortSignal.timeout(this.#options.answerMillis);
          const { vectors, tokens } = await attribute("model", () =>
            embedder.embed([text], { purpose, signal }),
          );
          const vector = toHalfvec(vectors[0] ?? new Float32Array());
          this.#vectors.set(key, vector);
          this.#resting.delete(model);
          return { vector, tokens };
        },
        // guard: query-vectors-are-shared
        keep: (transaction, { vector }) =>
          keepResults(transaction, {
            model,
            purpose,
            results: [{ key: hash, vector }],
            now: transaction.now,
          }),
      });
      if ("answer" in called) return { vector: called.answer.vector };
      return meaningObstacles.budgetUsedUp(called.refusal.renewsAt);
    } catch (error) {
      // The vector exists; only storing it failed.
      const vector = this.#vectors.get(key);
      const dependency = originOf(error);
      log.warn({ err: error, dependency, model }, "a query was not embedded, or its vector was not stored");
      if (vector !== undefined) return { vector };
      return this.#rest(model, obstacleOf(error));
    }
  }

  #rest(model: string, vector: QueryVector): QueryVector {
    // For the library, no time is forever.
    if (this.#options.restMillis > 0) this.#resting.set(model, vector);
    return vector;
  }
}

function keyOf(tenantId: string, model: string, text: string): { key: string; hash: string } {
  const hash = createHash("sha256").update(text).digest("hex");
  return { key: `${tenantId} ${model} ${hash}`, hash };
}

function obstacleOf(error: unknown): MeaningObstacle {
  if (!(error instanceof EmbeddingFailure)) return meaningObstacles.failed;
  if (error.kind === "busy") return meaningObstacles.busy;
  if (error.kind === "unusable") return meaningObstacles.misconfigured;
  return error.kind === "unavailable" ? meaningObstacles.noAnswer : meaningObstacles.queryRefused;
}

/** Whichever comes first; the other continues. */
async function firstOf<T>(
  work: Promise<T>,
  { startTimer, waitMillis }: typeof usual,
  otherwise: () => T,
): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const timer = startTimer(() => resolve(otherwise()), waitMillis);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
