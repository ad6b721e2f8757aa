import { createHash } from "node:crypto";
import type { Database, TenantScope } from "@svc/database/database";
import { EmbeddingFailure } from "@svc/embedding/embedding-failure";
import { findResult, keepResults } from "@svc/search/embedding-results";
import { toHalfvec } from "@svc/search/halfvec";
import type { Embedders, PricedEmbedder } from "../../platform/embedders.ts";
import type { Log } from "../../platform/log.ts";
import type { QueryVector, QueryVectors } from "../../platform/query-vectors.ts";
import { defaultLimitMicros, type Hold, release, reserve, settle } from "../budget/budget.ts";

const purpose = "query";
const usual = {
  /** How long a search waits. The model may go on: its answer is paid for, and serves the next one. */
  waitMillis: 1_000,
  answerMillis: 10_000,
  /** For so long a model that failed is not asked again: else every search would wait for it. */
  restMillis: 5_000,
  entries: 1_000,
};

const tooSlow: QueryVector = { reason: "the embedder did not answer in time" };

/** Vectors of queries: from the memory of this process, from the tenant's table, or from the model and its budget. */
export class BudgetedQueryVectors implements QueryVectors {
  readonly #database: Pick<Database, "withTenant">;
  readonly #embedders: Embedders;
  readonly #options: typeof usual;
  readonly #known = new Map<string, string>();
  readonly #asked = new Map<string, Promise<QueryVector>>();
  readonly #resting = new Map<string, { until: number; vector: QueryVector }>();

  constructor(
    database: Pick<Database, "withTenant">,
    embedders: Embedders,
    options: Partial<typeof usual> = {},
  ) {
    this.#database = database;
    this.#embedders = embedders;
    this.#options = { ...usual, ...options };
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

  async of(scope: TenantScope, model: string, text: string, log: Log): Promise<QueryVector> {
    const hash = createHash("sha256").update(text).digest("hex");
    const key = `${scope.tenantId} ${model} ${hash}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.#remember(key, known);
      return { vector: known };
    }
    const priced = this.#embedders.of(model);
    if (!priced) return { reason: `no embedder for ${model}` };
    const asked = this.#asked.get(key) ?? this.#find(scope, priced, { text, hash, key }, log);
    this.#asked.set(key, asked);
    return await firstOf(asked, this.#options.waitMillis, () => {
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
        findResult(transaction, { model, purpose, key: query.hash, now: new Date() }),
      );
      if (stored !== undefined) {
        this.#remember(query.key, stored);
        return { vector: stored };
      }
      const resting = this.#resting.get(model);
      if (resting && resting.until > performance.now()) return resting.vector;
      return await this.#ask(scope, priced, query, log);
    } catch (error) {
      log.error({ err: error, model }, "a query could not be embedded");
      return { reason: "the embedder failed" };
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
    const { embedder, price } = priced;
    const { model } = embedder;
    const micros = price(Math.min(embedder.countTokens(text), embedder.maxTokens));
    const money = await this.#reserve(scope, micros);
    if ("reason" in money) return money;
    const { hold } = money;
    try {
      const { vectors, tokens } = await embedder.embed([text], {
        purpose,
        signal: AbortSignal.timeout(this.#options.answerMillis),
      });
      const vector = toHalfvec(vectors[0] ?? new Float32Array());
      this.#remember(key, vector);
      this.#resting.delete(model);
      await this.#database.withTenant(scope, "write", async (transaction) => {
        const now = new Date();
        await keepResults(transaction, { model, purpose, results: [{ key: hash, vector }], now });
        if (!hold) return;
        const cost = tokens === undefined ? undefined : price(tokens);
        const { crossed, excessMicros } = await settle(transaction, hold, {
          micros: cost,
          tokens: tokens ?? 0,
          model,
          calls: 1,
          now,
        });
        const facts = { tenant: scope.tenantId, model };
        if (crossed !== undefined)
          log.warn({ ...facts, crossed }, "a budget for models is nearly or all spent");
        if (excessMicros > 0n)
          log.warn({ ...facts, excessMicros: String(excessMicros) }, "a query cost more than was reserved");
      });
      return { vector };
    } catch (error) {
      await this.#giveBack(scope, hold, model, error);
      // The vector is there: what failed was to write it down.
      const vector = this.#known.get(key);
      log.warn({ err: error, model }, "a query was not embedded, or that was not written down");
      if (vector !== undefined) return { vector };
      return this.#rest(model, { reason: failureReason(error) });
    }
  }

  async #reserve(
    scope: TenantScope,
    micros: bigint,
  ): Promise<{ hold: Hold | undefined } | { reason: string }> {
    if (micros === 0n) return { hold: undefined };
    const reserved = await this.#database.withTenant(scope, "write", (transaction) =>
      reserve(transaction, { purpose, micros, now: new Date(), defaultLimitMicros }),
    );
    if (reserved.hold) return reserved;
    return { reason: `the budget is used up until ${reserved.renewsAt.toISOString().slice(0, 10)}` };
  }

  /** Who refuses has done nothing; whatever else went wrong may have cost what was reserved. */
  async #giveBack(scope: TenantScope, hold: Hold | undefined, model: string, error: unknown): Promise<void> {
    if (!hold) return;
    const isUnpaid = error instanceof EmbeddingFailure && (error.kind === "busy" || error.kind === "refused");
    await this.#database.withTenant(scope, "write", async (transaction) => {
      const now = new Date();
      if (isUnpaid) await release(transaction, hold, now);
      else await settle(transaction, hold, { micros: undefined, tokens: 0, model, calls: 1, now });
    });
  }

  #rest(model: string, vector: QueryVector): QueryVector {
    this.#resting.set(model, { until: performance.now() + this.#options.restMillis, vector });
    return vector;
  }

  /** The last one asked for is the last to be forgotten. */
  #remember(key: string, vector: string): void {
    this.#known.delete(key);
    this.#known.set(key, vector);
    const oldest = this.#known.keys().next();
    if (this.#known.size > this.#options.entries && !oldest.done) this.#known.delete(oldest.value);
  }
}

function failureReason(error: unknown): string {
  if (!(error instanceof EmbeddingFailure)) return "the embedder failed";
  if (error.kind === "busy") return "the embedder is busy";
  return error.kind === "unavailable" ? "the embedder did not answer" : "the embedder refused the query";
}

/** Whatever comes first; the other goes on. */
async function firstOf<T>(work: Promise<T>, millis: number, otherwise: () => T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(() => resolve(otherwise()), millis);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
