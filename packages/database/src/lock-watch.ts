import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const lookMillis = 100;
const firstReportMillis = 700;
const nextReportMillis = 10_000;

/** What was done so far has waited for locks too long, while others waited behind it. */
export class LockWaitTooLong extends Error {
  override readonly name = "LockWaitTooLong";
}

interface WatchOptions {
  report: (line: string) => void;
  /** For all locks together: `lock_timeout` counts from the beginning with each lock. */
  maxWaitMillis: number;
}

/**
 * Watches the session of a migration through a second one: tells a person what a long statement waits for, and cancels it
 * when it has waited too long.
 */
export class LockWatch {
  readonly #backendPid: number;
  readonly #client: pg.Client;

  private constructor(backendPid: number, client: pg.Client) {
    this.#backendPid = backendPid;
    this.#client = client;
  }

  static async open(adminUrl: string, watched: pg.Client): Promise<LockWatch> {
    const { rows } = await watched.query<{ pid: number }>("select pg_backend_pid() as pid");
    const client = new pg.Client({ connectionString: adminUrl });
    // The next query fails with it.
    client.on("error", () => {});
    await client.connect();
    return new LockWatch(rows[0]?.pid ?? 0, client);
  }

  async during(work: () => Promise<void>, options: WatchOptions): Promise<void> {
    const done = new AbortController();
    const watching = this.#watch(done.signal, options).catch((error: Error) => {
      options.report(`cannot see what it waits for: ${error.message}`);
      return "lost" as const;
    });
    const finish = () => {
      done.abort();
      return watching;
    };
    try {
      await work();
    } catch (error) {
      if ((await finish()) !== "cancelled") throw error;
      throw new LockWaitTooLong("waited too long for several locks", { cause: error });
    }
    await finish();
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async #watch(done: AbortSignal, { report, maxWaitMillis }: WatchOptions): Promise<"cancelled" | "ended"> {
    const begun = performance.now();
    let waitedMillis = 0;
    let reportAt = begun + firstReportMillis;
    for (let looked = begun; ; ) {
      await sleep(lookMillis, undefined, { signal: done }).catch(() => {});
      if (done.aborted) return "ended";
      const holders = await this.#holders();
      const now = performance.now();
      if (holders.length > 0) waitedMillis += now - looked;
      looked = now;
      if (waitedMillis > maxWaitMillis) {
        await this.#client.query("select pg_cancel_backend($1)", [this.#backendPid]);
        return "cancelled";
      }
      if (now < reportAt) continue;
      reportAt = now + nextReportMillis;
      report(
        holders.length > 0 ? `waiting for ${holders.join(", ")}` : `running for ${seconds(now - begun)} s`,
      );
    }
  }

  async #holders(): Promise<string[]> {
    const { rows } = await this.#client.query<{ holder: string }>(holdersQuery, [this.#backendPid]);
    return rows.map(({ holder }) => holder);
  }
}

const holdersQuery = `
  select format('pid %s (%s, %s, transaction open for %s s)', pid, usename, state,
    round(extract(epoch from clock_timestamp() - xact_start))) as holder
  from pg_stat_activity where pid = any (pg_blocking_pids($1)) order by xact_start`;

function seconds(millis: number): string {
  return (millis / 1_000).toFixed(0);
}
