import type { TenantTransaction } from "@svc/database/database";
import type { CommandContext } from "./command-context.ts";

/** Beyond these, what comes is left out: see `Later`. */
const mostOfATenant = 10_000;

/** What comes up one by one in a tenant, and is written together when nobody waits for it any more. */
export class Together<T> {
  readonly #waiting = new Map<string, T[]>();
  readonly #write: (transaction: TenantTransaction, all: readonly T[]) => Promise<void>;

  constructor(write: (transaction: TenantTransaction, all: readonly T[]) => Promise<void>) {
    this.#write = write;
  }

  /** The last of those that wait and that it `replaces` goes. */
  add(context: Pick<CommandContext, "transaction" | "later">, item: T, replaces = (_: T) => false): void {
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

  /** What is added from now on waits for the next time; a transaction that is tried again has the same as before. */
  #leave(tenantId: string, all: T[]): void {
    if (this.#waiting.get(tenantId) === all) this.#waiting.delete(tenantId);
  }
}
