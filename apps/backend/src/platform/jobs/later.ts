import type { Database, TenantScope, TenantTransaction } from "@svc/database/database";
import type { Log } from "../process/log.ts";

type Work = (transaction: TenantTransaction) => Promise<void>;

/** Of a tenant. Beyond these, what comes is not taken: the database is behind, and this must not keep it there. */
const mostWaiting = 1_000;

/**
 * Small writes that nobody waits for, a moment later, those of a tenant one after the other: they fail no call and slow
 * none down. What waits here is lost if the process dies.
 */
export class Later {
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

  /** Whether it will be done, as far as anybody can tell. */
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
    // A tenant whose rows are locked keeps nobody else's waiting.
    await Promise.all(waiting.values().map((ofTenant) => this.#write(ofTenant)));
  }

  async #write(ofTenant: readonly { scope: TenantScope; work: Work }[]): Promise<void> {
    for (const { scope, work } of ofTenant) {
      await this.#database.withTenant(scope, "write", work).catch((error: unknown) => {
        this.#log.warn({ err: error, tenant: scope.tenantId }, "a small write for later failed");
      });
    }
  }
}
