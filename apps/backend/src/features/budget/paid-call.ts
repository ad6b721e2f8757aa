import type { Database, TenantScope, TenantTransaction } from "@svc/database/database";
import { EmbeddingFailure } from "@svc/embedding/embedding-failure";
import type { Log } from "../../platform/process/log.ts";
import type { PricedEmbedder } from "../../platform/search/embedders.ts";
import type { Purpose } from "./budget-store.ts";
import { defaultLimitMicros } from "./default-limit.ts";
import { type Refusal, release, reserve, settle } from "./holds.ts";

export interface Payer {
  database: Pick<Database, "withTenant">;
  scope: TenantScope;
  purpose: Purpose;
  priced: PricedEmbedder;
  log: Log;
  clock(): Date;
}

interface Answer {
  /** The model's own count; undefined if it reports none. */
  tokens: number | undefined;
}

/**
 * Calls a model, unless the budget has no money for it. The highest possible cost is reserved and committed first; the
 * real cost is settled in the transaction that stores the answer. After a failure the reservation is released if the
 * call cost nothing, and booked in full otherwise; then the error is rethrown. A free model needs neither.
 */
export async function callForMoney<T extends Answer>(
  payer: Payer,
  {
    mostTokens,
    call,
    keep,
  }: {
    mostTokens: number;
    call(): Promise<T>;
    keep(transaction: TenantTransaction, answer: T): Promise<void>;
  },
): Promise<{ answer: T } | { refusal: Refusal }> {
  const { database, scope, purpose, priced, clock } = payer;
  const { price } = priced;
  const write = <R>(work: (transaction: TenantTransaction) => Promise<R>) =>
    database.withTenant(scope, "write", work);
  const micros = price(mostTokens);
  // guard: spending-is-reserved
  const reserved =
    micros === 0n
      ? undefined
      : await write((transaction) =>
          reserve(transaction, { purpose, micros, now: clock(), defaultLimitMicros }),
        );
  if (reserved && !reserved.hold) return { refusal: reserved };
  const hold = reserved?.hold;
  try {
    const answer = await call();
    await write(async (transaction) => {
      await keep(transaction, answer);
      const { tokens } = answer;
      if (hold) {
        const cost = tokens === undefined ? undefined : price(tokens);
        await settleAndTell(payer, transaction, hold.id, { micros: cost, tokens: tokens ?? 0 });
      }
    });
    return { answer };
  } catch (error) {
    if (hold) {
      await write(async (transaction) => {
        // guard: refused-calls-are-free
        if (isUnpaid(error)) await release(transaction, hold, clock());
        else await settleAndTell(payer, transaction, hold.id, { micros: undefined, tokens: 0 });
      });
    }
    throw error;
  }
}

const gatewayTimeout = 504;

/** A provider that refuses, or reports a failure, has charged nothing. Without a valid answer, nobody knows. */
function isUnpaid(error: unknown): boolean {
  if (!(error instanceof EmbeddingFailure)) return false;
  const { kind, status } = error;
  if (kind === "busy" || kind === "refused" || kind === "too-long") return true;
  return status !== undefined && status !== gatewayTimeout;
}

async function settleAndTell(
  { priced, scope, log, clock }: Payer,
  transaction: TenantTransaction,
  id: string,
  cost: { micros: bigint | undefined; tokens: number },
): Promise<void> {
  const { model } = priced.embedder;
  const { crossed, excessMicros } = await settle(
    transaction,
    { id },
    { ...cost, model, calls: 1, now: clock() },
  );
  const facts = { tenant: scope.tenantId, model };
  if (crossed !== undefined) log.warn({ ...facts, percent: crossed }, "a budget is being used up");
  if (excessMicros > 0n) {
    log.warn({ ...facts, micros: String(excessMicros) }, "a call cost more than was reserved");
  }
}
