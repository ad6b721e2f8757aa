import type { Database } from "@svc/database/database";

/** Where somebody stops until he is let go on. */
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

  /** Lets him go on to his next stop; false where there is none. */
  async next(): Promise<boolean> {
    if (!(await this.#arrived.promise)) return false;
    this.#arrived = Promise.withResolvers<boolean>();
    this.#goOn?.();
    return this.#arrived.promise;
  }
}

/** A database whose user stops before each transaction. One that is never let on again is as good as killed. */
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
