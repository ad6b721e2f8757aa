import type { Database } from "@svc/database/database";

export type LivenessReport = { status: "ok" } | { status: "stuck"; reason: "database_slots" | "overloaded" };

/**
 * Whether this process itself works, so that only a restart would help if not. A database that is down does not count:
 * every slot is then given back when its time-out ends.
 */
export class Liveness {
  readonly #database: Pick<Database, "usage">;
  readonly #slotLimitMillis: number;

  constructor(database: Pick<Database, "usage">, slotLimitMillis: number) {
    this.#database = database;
    this.#slotLimitMillis = slotLimitMillis;
  }

  report(): LivenessReport {
    return this.#database.usage.oldestBusyMillis > this.#slotLimitMillis
      ? { status: "stuck", reason: "database_slots" }
      : { status: "ok" };
  }
}
