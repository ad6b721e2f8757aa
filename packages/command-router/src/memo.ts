import { WaitFirst } from "./wait-first.ts";

/** What one attempt of a call waits for, kept for the attempts that follow. */
export class Memo<T> {
  /** Undefined until an attempt has waited for it. */
  value: T | undefined;

  /** Ends this attempt: without its transaction, `find` is waited for, and the command begins again. Reads only. */
  waitFor(find: () => Promise<T>): never {
    throw new WaitFirst(async () => {
      this.value = await find();
    });
  }
}

/** Those of one call, whatever number of attempts it takes. */
export class Memos {
  readonly #byKey = new Map<string, Memo<unknown>>();

  of<T>(key: string): Memo<T> {
    const memo = (this.#byKey.get(key) ?? new Memo<T>()) as Memo<T>;
    this.#byKey.set(key, memo);
    return memo;
  }
}
