import type { Database, TenantTransaction } from "@svc/database/database";
import { EmbeddingFailure } from "@svc/embedding/embedding-failure";
import { keepResults } from "@svc/search/embedding-results";
import { toHalfvec } from "@svc/search/halfvec";
import { nobody } from "../../platform/define-job.ts";
import type { PricedEmbedder } from "../../platform/embedders.ts";
import type { Log } from "../../platform/log.ts";
import { defaultLimitMicros, release, reserve, settle } from "../budget/budget.ts";
import { renewLeases } from "./queue-store.ts";

export interface EmbeddingParts {
  database: Pick<Database, "withTenant">;
  log: Log;
  signal: AbortSignal | undefined;
  clock(): Date;
}

export interface WantedText {
  /** Of its hash, in hex. */
  key: string;
  text: string;
}

export interface EmbeddedTexts {
  vectors: Map<string, string>;
  /** The texts that are at fault themselves, with what was said of them. */
  refused: Map<string, EmbeddingFailure>;
  lackBudget: Set<string>;
  /** The model could not be asked at all; the texts that are in none of the others were not tried, or in vain. */
  outage?: EmbeddingFailure;
}

/** Of a free model many at once, though it takes one at a time: each answer is a transaction. */
const leastAtOnce = 16;

/**
 * Vectors for texts, under the tenant's budget. Money is reserved and committed before a call, and settled with its answer,
 * which is kept in the same transaction: who is killed after that pays nothing twice. A batch that fails is halved, so
 * that the texts beside one that is at fault get through.
 */
export async function embedTexts(
  parts: EmbeddingParts,
  tenant: { tenantId: string; leaseId: string },
  priced: PricedEmbedder,
  texts: readonly WantedText[],
): Promise<EmbeddedTexts> {
  const done: EmbeddedTexts = { vectors: new Map(), refused: new Map(), lackBudget: new Set() };
  const caller = new Caller(parts, tenant, priced);
  const atOnce = Math.max(priced.embedder.textsPerRequest, leastAtOnce);
  const waiting: WantedText[][] = [];
  for (let start = 0; start < texts.length; start += atOnce) waiting.push(texts.slice(start, start + atOnce));
  waiting.reverse();
  for (let batch = waiting.pop(); batch; batch = waiting.pop()) {
    parts.signal?.throwIfAborted();
    const outcome = await caller.call(batch);
    if (outcome.kind === "embedded") {
      for (const [index, { key }] of batch.entries()) done.vectors.set(key, outcome.vectors[index] ?? "");
    } else if (batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      waiting.push(batch.slice(half), batch.slice(0, half));
    } else if (outcome.kind === "no money") {
      for (const { key } of batch) done.lackBudget.add(key);
    } else if (isOutage(outcome.failure) && done.vectors.size === 0) {
      return { ...done, outage: outcome.failure };
    } else {
      for (const { key } of batch) done.refused.set(key, outcome.failure);
    }
  }
  return done;
}

/** Whatever the text is. Where others got through, it is the text. */
function isOutage({ kind }: EmbeddingFailure): boolean {
  return kind === "busy" || kind === "unavailable";
}

type Outcome =
  | { kind: "embedded"; vectors: string[] }
  | { kind: "no money" }
  | { kind: "failed"; failure: EmbeddingFailure };

class Caller {
  readonly #parts: EmbeddingParts;
  readonly #tenant: { tenantId: string; leaseId: string };
  readonly #priced: PricedEmbedder;

  constructor(parts: EmbeddingParts, tenant: { tenantId: string; leaseId: string }, priced: PricedEmbedder) {
    this.#parts = parts;
    this.#tenant = tenant;
    this.#priced = priced;
  }

  /** One call, or none where there is no money for it. */
  async call(batch: readonly WantedText[]): Promise<Outcome> {
    const { embedder, price } = this.#priced;
    // Of a free model nobody counts: it takes as long as cutting the text to its length.
    const isFree = price(1) === 0n;
    const counted = isFree ? 0 : batch.reduce((sum, { text }) => sum + embedder.countTokens(text), 0);
    const reserved = await this.#reserve(price(counted));
    if (reserved === "refused") return { kind: "no money" };
    try {
      const { vectors, tokens } = await embedder.embed(
        batch.map(({ text }) => text),
        { purpose: "document", signal: this.#parts.signal ?? new AbortController().signal },
      );
      const literals = vectors.map(toHalfvec);
      await this.#keep(batch, literals, reserved, tokens);
      return { kind: "embedded", vectors: literals };
    } catch (error) {
      if (reserved) await this.#giveBack(reserved.id, batch.length, error);
      if (error instanceof EmbeddingFailure) return { kind: "failed", failure: error };
      throw error;
    }
  }

  /** Undefined for a model that costs nothing: there is nothing to hold. */
  async #reserve(micros: bigint): Promise<{ id: string } | "refused" | undefined> {
    if (micros === 0n) return undefined;
    const { hold } = await this.#write((transaction) =>
      reserve(transaction, { purpose: "document", micros, now: this.#parts.clock(), defaultLimitMicros }),
    );
    return hold ?? "refused";
  }

  async #keep(
    batch: readonly WantedText[],
    vectors: readonly string[],
    hold: { id: string } | undefined,
    tokens: number | undefined,
  ): Promise<void> {
    const { embedder, price } = this.#priced;
    const now = this.#parts.clock();
    await this.#write(async (transaction) => {
      await keepResults(transaction, {
        model: embedder.model,
        purpose: "document",
        results: batch.map(({ key }, index) => ({ key, vector: vectors[index] ?? "" })),
        now,
      });
      await renewLeases(transaction, this.#tenant.leaseId, now);
      if (hold) {
        const micros = tokens === undefined ? undefined : price(tokens);
        await this.#settle(transaction, hold.id, { micros, tokens: tokens ?? 0, calls: 1 });
      }
    });
  }

  /** A refusal costs nothing. Where no answer came, nobody knows: then it is booked as reserved. */
  async #giveBack(id: string, texts: number, error: unknown): Promise<void> {
    const isFree = error instanceof EmbeddingFailure && (error.status !== undefined || error.kind === "busy");
    this.#parts.log.debug({ err: error, texts }, "a call of a model failed");
    await this.#write(async (transaction) => {
      if (isFree) await release(transaction, { id }, this.#parts.clock());
      else await this.#settle(transaction, id, { micros: undefined, tokens: 0, calls: 1 });
    });
  }

  async #settle(
    transaction: TenantTransaction,
    id: string,
    cost: { micros: bigint | undefined; tokens: number; calls: number },
  ): Promise<void> {
    const { log, clock } = this.#parts;
    const { model } = this.#priced.embedder;
    const { crossed, excessMicros } = await settle(transaction, { id }, { ...cost, model, now: clock() });
    const { tenantId } = this.#tenant;
    if (crossed !== undefined) log.warn({ tenant: tenantId, percent: crossed }, "a budget is being used up");
    if (excessMicros > 0n) {
      log.warn(
        { tenant: tenantId, model, micros: String(excessMicros) },
        "a call cost more than was reserved",
      );
    }
  }

  #write<T>(work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
    const scope = { tenantId: this.#tenant.tenantId, actorId: nobody };
    return this.#parts.database.withTenant(scope, "write", work);
  }
}
