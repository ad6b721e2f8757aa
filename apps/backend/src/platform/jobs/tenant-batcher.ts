import type { TenantTransaction } from "@svc/database/database";

interface Batching {
  transaction: TenantTransaction;
  /** Whether the write will be done. */
  later(write: (transaction: TenantTransaction) => Promise<void>): boolean;
}

/** Further items are dropped: see `DeferredWrites`. */
const mostOfATenant = 10_000;

/** Collects single items of a tenant, and writes them together when nobody waits for them. */
export class TenantBatcher<T> {
  readonly #waiting = new Map<string, T[]>();
  readonly #write: (transaction: TenantTransaction, all: readonly T[]) => Promise<void>;

  constructor(write: (transaction: TenantTransaction, all: readonly T[]) => Promise<void>) {
    this.#write = write;
  }

  /** Removes the last waiting item that it `replaces`. */
  add(context: Batching, item: T, replaces = (_: T) => false): void {
    const { tenantId } = context.transaction;
    const others = this.#waiting.get(tenantId);
    if (others) {
      const before = others.findLastIndex(replaces);
      if (before >= 0) others.splice(before, 1);
      if (others.length < mostOfATenant) others.push(item);
      return;
    }
    const all = [item];
    this.#waiting.set(tenantId, all);
    const isTaken = context.later(async (transaction) => {
      this.#leave(tenantId, all);
      await this.#write(transaction, all);
    });
    if (!isTaken) this.#leave(tenantId, all);
  }

  /** Items added from now on wait for the next batch; a retried transaction gets the same items as before. */
  #leave(tenantId: string, all: T[]): void {
    if (this.#waiting.get(tenantId) === all) this.#waiting.delete(tenantId);
  }
}
