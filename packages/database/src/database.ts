import { FairShares } from "@svc/fair-shares/fair-shares";
import { Kysely } from "kysely";
import pg from "pg";
import { OneConnectionDialect } from "./one-connection-dialect.ts";
import { statementName } from "./statement-name.ts";
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
}

export interface DatabaseOptions {
  url: string;
  maxConnections?: number;
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

/** The only way to a connection. One cell today; several later, chosen here by the tenant, and no caller changes. */
export class Database {
  readonly #pool: pg.Pool;
  readonly #shares: FairShares;

  constructor({ url, maxConnections = 10, onIdleError = () => {} }: DatabaseOptions) {
    this.#pool = new pg.Pool({
      connectionString: url,
      max: maxConnections,
      connectionTimeoutMillis: maxWaitMillis,
      idleTimeoutMillis: 60_000,
      types,
    });
    this.#pool.on("error", onIdleError);
    this.#shares = new FairShares({
      slots: maxConnections,
      // With one or two connections none can be set aside.
      reserved: { tenant: directory.tenant, slots: maxConnections < 3 ? 0 : Math.ceil(maxConnections / 10) },
      maxWaiting: 1_000,
      maxWaitMillis,
    });
  }

  get usage(): { total: number; idle: number; waiting: number } {
    return { total: this.#pool.totalCount, idle: this.#pool.idleCount, waiting: this.#shares.waiting };
  }

  async withTenant<T>(
    { tenantId, actorId }: TenantScope,
    mode: TransactionMode,
    work: (transaction: TenantTransaction) => Promise<T>,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<T> {
    // Begin and settings travel together as one simple query, which takes no parameters: hence the strict check.
    const begin =
      `begin ${mode === "read" ? "isolation level repeatable read, read only" : "read write"};` +
      `select set_config('app.tenant_id', '${requireUuid(tenantId)}', true),` +
      ` set_config('app.actor_id', '${requireUuid(actorId)}', true)`;
    const end = mode === "rollback" ? "rollback" : "commit";
    const attempts = async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.#transact(begin, end, (db) => work({ db, tenantId, actorId }));
        } catch (error) {
          if (attempt === maxAttempts || !isWorthRepeating(error)) throw error;
        }
      }
    };
    return this.#shares.run({ tenant: tenantId, member: actorId }, attempts, { signal });
  }

  /** For the directory: a credential's owner is looked up before there is a tenant. Sees no tenant's rows. */
  async withDirectory<T>(work: (db: Kysely<DB>) => Promise<T>): Promise<T> {
    return this.#shares.run(directory, () => this.#transact("begin", "commit", work));
  }

  async ping(): Promise<void> {
    await this.#shares.run(directory, () => this.#pool.query("select 1"));
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #transact<T>(
    begin: string,
    end: "commit" | "rollback",
    work: (db: Kysely<DB>) => Promise<T>,
  ): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    const noteBreak = (error: Error) => {
      broken ??= error;
    };
    // The pool listens to idle connections only; an unhandled error event would end the process.
    client.on("error", noteBreak);
    const query = async (text: string) => {
      // The driver would only say that the connection is gone, not what ended it.
      if (broken) throw broken;
      return client.query(text);
    };
    const dialect = new OneConnectionDialect(async (text, values) => {
      if (broken) throw broken;
      const name = statementName(text);
      const answer: pg.QueryResult | pg.QueryResult[] = await client.query({
        text,
        values,
        name,
      });
      // Of several statements in one trip, the result of the last.
      return Array.isArray(answer) ? answer[answer.length - 1] : answer;
    });
    try {
      await query(begin);
      let result: T;
      try {
        result = await work(new Kysely<DB>({ dialect }));
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
      if (hasStalePlan(error)) noteBreak(error);
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

/** A migration changed a table under a statement that this connection had planned: a new connection plans it anew. */
function hasStalePlan(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === "0A000" && /cached plan/.test(error.message);
}

function requireUuid(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) throw new Error("not a UUID");
  return text;
}
