import type { TenantTransaction } from "@svc/database/database";

/** What was found out in a transaction and holds until it ends, by name; gone with the transaction. */
export class PerTransaction<Value> {
  readonly #all = new WeakMap<TenantTransaction, Map<string, Value>>();

  of(transaction: TenantTransaction): Map<string, Value> {
    const known = this.#all.get(transaction) ?? new Map<string, Value>();
    this.#all.set(transaction, known);
    return known;
  }

  /** Found out at the first question, known for all others. */
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
