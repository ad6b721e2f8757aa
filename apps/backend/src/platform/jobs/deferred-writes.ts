import type { Database, TenantScope, TenantTransaction } from "@svc/database/database";
import type { Log } from "../process/log.ts";

type Work = (transaction: TenantTransaction) => Promise<void>;

/** Limit of one tenant. Further writes are refused: the database is behind, and this must not make it worse. */
const mostWaiting = 1_000;

/**
 * Small deferred writes that nobody waits for, one at a time per tenant: they neither fail nor slow down a call.
 * Pending writes are lost if the process dies.
 */
export class DeferredWrites {
  readonly #database: Pick<Database, "withTenant">;
  readonly #log: Log;
  readonly #delayMillis: number;
  #waiting = new Map<string, { scope: TenantScope; work: Work }[]>();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Pick<Database, "withTenant">, log: Log, delayMillis = 2_000) {
    this.#database = database;
    this.#log = log;
    this.#delayMillis = delayMillis;
  }

  /** Whether the write was queued. */
  add(scope: TenantScope, work: Work): boolean {
    const ofTenant = this.#waiting.get(scope.tenantId) ?? [];
    if (ofTenant.length >= mostWaiting) return false;
    ofTenant.push({ scope, work });
    this.#waiting.set(scope.tenantId, ofTenant);
    this.#timer ??= setTimeout(() => void this.flush(), this.#delayMillis).unref();
    return true;
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    const waiting = this.#waiting;
    this.#waiting = new Map();
    this.#timer = undefined;
    // A tenant with locked rows does not hold up others.
    await Promise.all(waiting.values().map((ofTenant) => this.#write(ofTenant)));
  }

  async #write(ofTenant: readonly { scope: TenantScope; work: Work }[]): Promise<void> {
    for (const { scope, work } of ofTenant) {
      await this.#database.withTenant(scope, "write", work).catch((error: unknown) => {
        this.#log.warn({ err: error, tenant: scope.tenantId }, "a deferred write failed");
      });
    }
  }
}
