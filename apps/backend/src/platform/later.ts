import type { Database, TenantScope, TenantTransaction } from "@svc/database/database";
import type { Log } from "./log.ts";

type Work = (transaction: TenantTransaction) => Promise<void>;

/** Beyond these, what comes is not taken: the database is behind, and this must not be what keeps it there. */
const mostWaiting = 1_000;

/**
 * Small writes that nobody waits for, one after the other and a moment later: they fail no call and slow none down. What
 * waits here is lost where the process dies.
 */
export class Later {
  readonly #database: Pick<Database, "withTenant">;
  readonly #log: Log;
  readonly #delayMillis: number;
  #waiting: { scope: TenantScope; work: Work }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Pick<Database, "withTenant">, log: Log, delayMillis = 2_000) {
    this.#database = database;
    this.#log = log;
    this.#delayMillis = delayMillis;
  }

  /** Whether it will be done, as far as anybody can tell. */
  add(scope: TenantScope, work: Work): boolean {
    if (this.#waiting.length >= mostWaiting) return false;
    this.#waiting.push({ scope, work });
    this.#timer ??= setTimeout(() => void this.flush(), this.#delayMillis).unref();
    return true;
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#timer = undefined;
    for (const { scope, work } of waiting) {
      await this.#database.withTenant(scope, "write", work).catch((error: unknown) => {
        this.#log.warn({ err: error, tenant: scope.tenantId }, "a small write for later failed");
      });
    }
  }
}
