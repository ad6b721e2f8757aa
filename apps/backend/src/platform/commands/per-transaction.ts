import type { TenantTransaction } from "@svc/database/database";

/** Facts that were found in a transaction and hold until it ends, by name; gone with the transaction. */
export class PerTransaction<Value> {
  readonly #all = new WeakMap<TenantTransaction, Map<string, Value>>();

  of(transaction: TenantTransaction): Map<string, Value> {
    const known = this.#all.get(transaction) ?? new Map<string, Value>();
    this.#all.set(transaction, known);
    return known;
  }

  /** Computed once, at the first call. */
  once(transaction: TenantTransaction, name: string, find: () => Value): Value {
    const known = this.of(transaction);
    const value = known.get(name) ?? find();
    known.set(name, value);
    return value;
  }

  forget(transaction: TenantTransaction): void {
    this.#all.delete(transaction);
  }
}
