import type { Database } from "@svc/database/database";

/** A gate where a worker stops until it may continue. */
export class Gate {
  #goOn: (() => void) | undefined;
  #arrived = Promise.withResolvers<boolean>();

  async stop(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#goOn = resolve;
    this.#arrived.resolve(true);
    await promise;
  }

  end(): void {
    this.#arrived.resolve(false);
  }

  /** Lets the worker continue to its next stop; false if there is none. */
  async next(): Promise<boolean> {
    if (!(await this.#arrived.promise)) return false;
    this.#arrived = Promise.withResolvers<boolean>();
    this.#goOn?.();
    return this.#arrived.promise;
  }
}

/** A database whose user stops before each transaction. A user that never continues is as good as killed. */
export class GatedDatabase implements Pick<Database, "withTenant"> {
  readonly gate = new Gate();
  readonly #database: Database;
  readonly #onCommit: () => void;

  constructor(database: Database, onCommit: () => void) {
    this.#database = database;
    this.#onCommit = onCommit;
  }

  withTenant: Database["withTenant"] = async (scope, mode, work) => {
    await this.gate.stop();
    const result = await this.#database.withTenant(scope, mode, work);
    this.#onCommit();
    return result;
  };
}
