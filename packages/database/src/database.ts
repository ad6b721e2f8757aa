import { randomBytes } from "node:crypto";
import { FairShares, type Share } from "@svc/fair-shares/fair-shares";
import { ShareRefused } from "@svc/fair-shares/share-refused";
import { Kysely } from "kysely";
import pg from "pg";
import { DatabaseClock } from "./connections/database-clock.ts";
import { openPool } from "./connections/open-pool.ts";
import { runQuery } from "./connections/run-query.ts";
import { fromDatabase, markAsDatabases } from "./database-failure.ts";
import { OneConnectionDialect } from "./one-connection-dialect.ts";
import { nameStatement } from "./statement-name.ts";
import type { DB } from "./tables.generated.ts";

/** `rollback` is a write that never commits: a preview. */
export type TransactionMode = "read" | "write" | "rollback";

export interface TenantScope {
  tenantId: string;
  actorId: string;
}

/** A transaction of one tenant. It ends with its callback; using it later throws. */
export interface TenantTransaction extends TenantScope {
  readonly db: Kysely<DB>;
  /** When it began, by the database's clock. What expires is written and compared by this clock only. */
  readonly now: Date;
}

export interface DatabaseOptions {
  url: string;
  maxConnections?: number;
  /** After so long without an answer a connection counts as dead. Longer than the role's `statement_timeout`. */
  silenceMillis?: number;
  /** Called for connections that broke while idle; the pool replaces them. */
  onIdleError?: (error: Error) => void;
}

const types = {
  // Sequences and counts stay far below 2^53; a bigint as text would leak into every answer.
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser,
};

/** Looks up a credential's owner, and whether the database answers: must never wait for a tenant. */
const directory = { tenant: "directory", member: "directory" };
const maxWaitMillis = 5_000;

export interface DatabaseUsage {
  /** Connections, those between two callers, and callers without one. */
  total: number;
  idle: number;
  waiting: number;
  /** Callers that hold a slot, and how long the first of them has held it. */
  busy: number;
  oldestBusyMillis: number;
}

/** The only way to a connection. One cell today; several later, chosen here by the tenant, and no caller changes. */
export class Database {
  readonly #pool: pg.Pool;
  readonly #shares: FairShares;
  /** When each busy slot was taken, the oldest first. */
  readonly #busySince = new Map<symbol, number>();
  /** Changes when a migration made plans stale: see `nameStatement`. */
  #planMark: string | undefined;
  readonly #clock = new DatabaseClock();

  constructor({ url, maxConnections = 10, silenceMillis = 20_000, onIdleError = () => {} }: DatabaseOptions) {
    this.#pool = openPool({ url, maxConnections, silenceMillis, onIdleError, types });
    this.#shares = new FairShares({
      slots: maxConnections,
      // With one or two connections none can be set aside.
      reserved: { tenant: directory.tenant, slots: maxConnections < 3 ? 0 : Math.ceil(maxConnections / 10) },
      maxWaiting: 1_000,
      maxWaitMillis,
    });
  }

  get usage(): DatabaseUsage {
    const [oldest] = this.#busySince.values();
    return {
      total: this.#pool.totalCount,
      idle: this.#pool.idleCount,
      waiting: this.#shares.waiting,
      busy: this.#busySince.size,
      oldestBusyMillis: oldest === undefined ? 0 : performance.now() - oldest,
    };
  }

  async withTenant<T>(
    { tenantId, actorId }: TenantScope,
    mode: TransactionMode,
    work: (transaction: TenantTransaction) => Promise<T>,
    { signal, limitMillis }: { signal?: AbortSignal; limitMillis?: number | undefined } = {},
  ): Promise<T> {
    // The role's limit runs already: only 0 stops it, another value alone would be ignored.
    const limits = limitMillis === undefined ? [] : ["0", `${Math.ceil(limitMillis)}ms`];
    const limit = limits.map((value) => ` set_config('transaction_timeout', '${value}', true),`).join("");
    // Begin and settings travel together as one simple query, which takes no parameters: hence the strict check.
    const begin =
      `begin ${mode === "read" ? "isolation level repeatable read, read only" : "read write"};` +
      `select set_config('app.tenant_id', '${requireUuid(tenantId)}', true),` +
      ` set_config('app.actor_id', '${requireUuid(actorId)}', true),${limit} now() as now`;
    const end = mode === "rollback" ? "rollback" : "commit";
    return this.#inSlot(
      { tenant: tenantId, member: actorId },
      () => this.#attempt(begin, end, (db, now) => work({ db, tenantId, actorId, now })),
      signal,
    );
  }

  /** For the directory: a credential's owner is looked up before there is a tenant. Sees no tenant's rows. */
  async withDirectory<T>(work: (db: Kysely<DB>) => Promise<T>): Promise<T> {
    return this.#inSlot(directory, () => this.#attempt("begin; select now() as now", "commit", work));
  }

  /**
   * Whether the server accepts writes: not if it is a hot standby, or if somebody made it read-only. A connection that
   * stays silent longer than the limit is closed, so that the next call gets another one.
   */
  async ping({ limitMillis = maxWaitMillis } = {}): Promise<{ isReadOnly: boolean }> {
    const query = {
      text: `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
      query_timeout: limitMillis,
    };
    const { rows } = await this.#inSlot(directory, () =>
      fromDatabase(this.#pool.query<{ isReadOnly: boolean }>(query)),
    );
    return { isReadOnly: rows[0]?.isReadOnly ?? false };
  }

  /** A clock that shows the database's time: clocks of processes may be hours apart. */
  async clock(): Promise<() => Date> {
    if (!this.#clock.isFresh) await this.withDirectory(async () => {});
    return () => this.#clock.now();
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #inSlot<T>(share: Share, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const timed = async () => {
      const slot = Symbol();
      this.#busySince.set(slot, performance.now());
      try {
        return await work();
      } finally {
        this.#busySince.delete(slot);
      }
    };
    try {
      return await this.#shares.run(share, timed, { signal });
    } catch (error) {
      throw error instanceof ShareRefused ? markAsDatabases(error) : error;
    }
  }

  async #attempt<T>(
    begin: string,
    end: "commit" | "rollback",
    work: (db: Kysely<DB>, now: Date) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#transact(begin, end, work);
      } catch (error) {
        if (attempt === maxAttempts || !isWorthRepeating(error)) throw error;
      }
    }
  }

  async #transact<T>(
    begin: string,
    end: "commit" | "rollback",
    work: (db: Kysely<DB>, now: Date) => Promise<T>,
  ): Promise<T> {
    const client = await fromDatabase(this.#pool.connect());
    let broken: Error | undefined;
    const noteBreak = (error: Error) => {
      broken ??= markAsDatabases(error);
    };
    // The pool listens to idle connections only; an unhandled error event would end the process.
    client.on("error", noteBreak);
    const query = async (text: string) => {
      // The driver would only say that the connection is gone, not what ended it.
      if (broken) throw broken;
      return fromDatabase(runQuery(client, text));
    };
    const planMark = this.#planMark;
    const dialect = new OneConnectionDialect(async (text, values) => {
      if (broken) throw broken;
      const answer: pg.QueryResult | pg.QueryResult[] = await fromDatabase(
        runQuery(client, { ...nameStatement(text, planMark), values }),
      );
      // Of several statements in one trip, the result of the last.
      return Array.isArray(answer) ? answer[answer.length - 1] : answer;
    });
    try {
      const now = timeOf(await query(begin));
      this.#clock.note(now);
      let result: T;
      try {
        result = await work(new Kysely<DB>({ dialect }), now);
      } finally {
        // Before the commit: a statement that nobody awaited would run after it.
        dialect.close();
      }
      const { command } = await query(end);
      // A transaction whose error was swallowed answers COMMIT with ROLLBACK, and no error.
      if (end === "commit" && command !== "COMMIT")
        throw new Error("the transaction had failed and was rolled back");
      return result;
    } catch (error) {
      await query("rollback").catch(noteBreak);
      if (hasStalePlan(error) && this.#planMark === planMark) this.#planMark = randomBytes(4).toString("hex");
      throw error;
    } finally {
      client.off("error", noteBreak);
      // A connection whose rollback failed may still hold a transaction: it is discarded, not passed to the next
      // caller.
      client.release(broken);
    }
  }
}

const maxAttempts = 3;

/** Deadlock and serialization failure: PostgreSQL chose a victim, and the same work may succeed now. */
function isWorthRepeating(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return error.code === "40P01" || error.code === "40001" || hasStalePlan(error);
}

/** A migration changed a table under a statement that somebody had planned. */
function hasStalePlan(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === "0A000" && /cached plan/.test(error.message);
}

/** What `begin` was sent with asks for the time last. */
function timeOf(begun: unknown): Date {
  const [, { rows }] = begun as [pg.QueryResult, pg.QueryResult<{ now: Date }>];
  return (rows[0] as { now: Date }).now;
}

function requireUuid(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) throw new Error("not a UUID");
  return text;
}
