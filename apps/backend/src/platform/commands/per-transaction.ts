import type { TenantTransaction } from "@svc/database/database";

/** Facts that were found in a transaction and hold until it ends, by name; gone with the transaction. */
export class PerTransaction<Value> {
  readonly #all = new WeakMap<TenantTransaction, Map<string, Value>>();

  of(transaction: TenantTransaction): Map<string, Value> {
    const values = this.#all.get(transaction) ?? new Map<string, Value>();
    this.#all.set(transaction, values);
    return values;
  }

  /** Computed once, at the first call. */
  once(transaction: TenantTransaction, name: string, find: () => Value): Value {
    const values = this.of(transaction);
    const value = values.get(name) ?? find();
    values.set(name, value);
    return value;
  }

  forget(transaction: TenantTransaction): void {
    this.#all.delete(transaction);
  }
}
