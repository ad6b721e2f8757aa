import type { TenantTransaction } from "@svc/database/database";
import { type Ended, endHold, insertHold, type Purpose, readMonth } from "./budget-store.ts";
import { endOfMonth, monthOf } from "./month.ts";

/** Longer than any call of a model, including its retries. */
const holdMillis = 10 * 60_000;

export interface Hold {
  id: string;
  /** The most that the call can cost. */
  micros: bigint;
  expiresAt: Date;
}

export interface Refusal {
  hold?: undefined;
  leftMicros: bigint;
  /** Held by calls in progress: some of it may come back. */
  heldMicros: bigint;
  renewsAt: Date;
}

/**
 * Reserves money for one call of a model, or returns what is left. Commit it before the call: a rollback holds nothing.
 * `micros` is an upper bound of what the call can cost; nobody is ever charged more.
 */
export async function reserve(
  transaction: TenantTransaction,
  request: { purpose: Purpose; micros: bigint; now: Date; defaultLimitMicros: bigint },
): Promise<{ hold: Hold } | Refusal> {
  const { micros, now, defaultLimitMicros } = request;
  const month = monthOf(now);
  const expiresAt = new Date(now.getTime() + holdMillis);
  const id = await insertHold(transaction, { ...request, month, expiresAt });
  if (id !== undefined) return { hold: { id, micros, expiresAt } };
  // Still the state that refused it, because limit and month are locked.
  const { leftMicros, heldMicros } = await readMonth(transaction, month, defaultLimitMicros);
  return { leftMicros, heldMicros, renewsAt: endOfMonth(month) };
}

export interface Settlement {
  /** False if somebody settled or released it before, so nothing was booked now. */
  isBooked: boolean;
  micros: bigint;
  /** The cost above the reservation, which is not booked: an estimate was wrong, and somebody should know. */
  excessMicros: bigint;
  /** For the first time in its month. */
  crossed: Ended["crossed"];
}

/** Books the cost of the call; undefined if unknown. Corrects a hold that has expired. */
export async function settle(
  transaction: TenantTransaction,
  { id }: Pick<Hold, "id">,
  actual: { micros: bigint | undefined; tokens: number; model: string; calls: number; now: Date },
): Promise<Settlement> {
  const outcome = actual.micros === undefined ? "estimated" : "settled";
  const { holds, micros, crossed } = await endHold(transaction, id, { ...actual, outcome });
  const isBooked = holds > 0;
  const excess = (actual.micros ?? micros) - micros;
  const excessMicros = isBooked && excess > 0n ? excess : 0n;
  return { isBooked, micros, excessMicros, crossed };
}

/** For a call that was never made; false if it was settled or released before. */
export async function release(
  transaction: TenantTransaction,
  { id }: Pick<Hold, "id">,
  now: Date,
): Promise<boolean> {
  const { holds } = await endHold(transaction, id, { outcome: "released", micros: 0n, now });
  return holds > 0;
}
