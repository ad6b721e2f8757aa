import type { Database } from "@svc/database/database";
import { EmbeddingFailure } from "@svc/embedding/embedding-failure";
import {
  type ClaimedTexts,
  claimTexts,
  keepResults,
  releaseTexts,
} from "@svc/search/vectors/embedding-results";
import { toHalfvec } from "@svc/search/vectors/halfvec";
import { nobody } from "../../platform/identity/nobody.ts";
import type { Log } from "../../platform/process/log.ts";
import type { PricedEmbedder } from "../../platform/search/embedders.ts";
import { callForMoney } from "../budget/budget.ts";
import { leaseEnd, renewLeases } from "./queue-store.ts";

export interface EmbeddingParts {
  database: Pick<Database, "withTenant">;
  log: Log;
  signal?: AbortSignal | undefined;
  clock(): Date;
}

interface Tenant {
  tenantId: string;
  leaseId: string;
}

export interface WantedText {
  /** Of its hash, in hex. */
  key: string;
  text: string;
}

export interface EmbeddedTexts {
  vectors: Map<string, string>;
  /** Texts that cannot be embedded, with the reason. */
  refused: Map<string, EmbeddingFailure>;
  lackBudget: Set<string>;
  /** The model could not be reached. If absent, texts in none of the other lists are being embedded by another worker. */
  outage?: EmbeddingFailure;
}

const purpose = "document";
/** For a free model many at once, although it takes one at a time, because each answer is a transaction. */
const leastAtOnce = 16;

/**
 * Vectors for texts, under the tenant's budget. Money is reserved and committed before a call, and settled with its
 * answer, which is stored in the same transaction: a worker killed after that pays nothing twice. A failed batch is
 * halved, so that the other texts get through.
 */
export async function embedTexts(
  parts: EmbeddingParts,
  tenant: Tenant,
  priced: PricedEmbedder,
  texts: readonly WantedText[],
): Promise<EmbeddedTexts> {
  const done: EmbeddedTexts = { vectors: new Map(), refused: new Map(), lackBudget: new Set() };
  const atOnce = Math.max(priced.embedder.textsPerRequest, leastAtOnce);
  const waiting: WantedText[][] = [];
  for (let start = 0; start < texts.length; start += atOnce) waiting.push(texts.slice(start, start + atOnce));
  waiting.reverse();
  let gotThrough = false;
  for (let wanted = waiting.pop(); wanted; wanted = waiting.pop()) {
    parts.signal?.throwIfAborted();
    const { mine, known } = await claim(parts, tenant, priced, wanted);
    for (const [key, vector] of known) done.vectors.set(key, vector);
    const batch = wanted.filter(({ key }) => mine.has(key));
    if (batch.length === 0) continue;
    const outcome = await callOnce(parts, tenant, priced, batch);
    if (outcome.kind === "embedded") {
      gotThrough = true;
      for (const [index, { key }] of batch.entries()) done.vectors.set(key, outcome.vectors[index] ?? "");
      continue;
    }
    const failure = outcome.kind === "failed" ? outcome.failure : undefined;
    const isUnusable = failure?.kind === "unusable";
    if (batch.length > 1 && !isUnusable) {
      const half = Math.ceil(batch.length / 2);
      waiting.push(batch.slice(half), batch.slice(0, half));
      continue;
    }
    if (failure && (isUnusable || (isOutage(failure) && !gotThrough))) {
      await release(parts, tenant);
      const { model } = priced.embedder;
      parts.log.warn({ err: failure, tenant: tenant.tenantId, model }, "files wait for their model");
      return { ...done, outage: failure };
    }
    await release(parts, tenant, batch);
    for (const { key } of batch) {
      if (failure) done.refused.set(key, failure);
      else done.lackBudget.add(key);
    }
  }
  return done;
}

async function claim(
  { database, clock }: EmbeddingParts,
  { tenantId, leaseId }: Tenant,
  { embedder: { model } }: PricedEmbedder,
  wanted: readonly WantedText[],
): Promise<ClaimedTexts> {
  const now = clock();
  const keys = wanted.map(({ key }) => key);
  return database.withTenant({ tenantId, actorId: nobody }, "write", (transaction) =>
    claimTexts(transaction, { model, keys, leaseId, now, until: leaseEnd(now) }),
  );
}

/** All claimed texts if none is named. */
async function release(
  { database }: EmbeddingParts,
  { tenantId, leaseId }: Tenant,
  texts?: readonly WantedText[],
): Promise<void> {
  await database.withTenant({ tenantId, actorId: nobody }, "write", (transaction) =>
    releaseTexts(
      transaction,
      leaseId,
      texts?.map(({ key }) => key),
    ),
  );
}

/** A failure for any text. If others got through, the text is at fault. */
function isOutage({ kind }: EmbeddingFailure): boolean {
  return kind === "busy" || kind === "unavailable";
}

type Outcome =
  | { kind: "embedded"; vectors: string[] }
  | { kind: "no money" }
  | { kind: "failed"; failure: EmbeddingFailure };

/** One call, whose answers are stored with its cost and which renews the lease; or none if the budget does not allow it. */
async function callOnce(
  { log, clock, database, signal = new AbortController().signal }: EmbeddingParts,
  { tenantId, leaseId }: Tenant,
  priced: PricedEmbedder,
  batch: readonly WantedText[],
): Promise<Outcome> {
  const { embedder, price } = priced;
  const { model } = embedder;
  // Tokens of a free model are not counted: that takes as long as truncating the text.
  const isFree = price(1) === 0n;
  const payer = { database, scope: { tenantId, actorId: nobody }, purpose, priced, log, clock } as const;
  try {
    const called = await callForMoney(payer, {
      mostTokens: isFree ? 0 : batch.reduce((sum, { text }) => sum + embedder.countTokens(text), 0),
      call: async () => {
        const texts = batch.map(({ text }) => text);
        const { vectors, tokens } = await embedder.embed(texts, { purpose, signal });
        return { vectors: vectors.map(toHalfvec), tokens };
      },
      keep: async (transaction, { vectors }) => {
        const results = batch.map(({ key }, index) => ({ key, vector: vectors[index] ?? "" }));
        await keepResults(transaction, { model, purpose, results, now: clock() });
        await renewLeases(transaction, leaseId, clock());
      },
    });
    return "refusal" in called ? { kind: "no money" } : { kind: "embedded", vectors: called.answer.vectors };
  } catch (error) {
    log.debug({ err: error, texts: batch.length }, "a model call failed");
    if (error instanceof EmbeddingFailure) return { kind: "failed", failure: error };
    throw error;
  }
}
