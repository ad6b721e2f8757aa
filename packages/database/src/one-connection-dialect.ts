import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type pg from "pg";

type RunQuery = (text: string, values: unknown[]) => Promise<pg.QueryResult>;

/**
 * Kysely over one connection with a transaction that somebody else began. Kysely's own pool dialect would take a second
 * connection past the tenant setting, and could be used after the transaction's end; this one refuses both.
 */
export class OneConnectionDialect implements Dialect {
  readonly #query: RunQuery;
  #open = true;

  constructor(query: RunQuery) {
    this.#query = query;
  }

  close(): void {
    this.#open = false;
  }

  createAdapter() {
    return new PostgresAdapter();
  }

  createQueryCompiler() {
    return new PostgresQueryCompiler();
  }

  createIntrospector(db: ConstructorParameters<typeof PostgresIntrospector>[0]) {
    return new PostgresIntrospector(db);
  }

  createDriver(): Driver {
    const refuse = () => Promise.reject(new Error("this transaction is not yours to begin or end"));
    return {
      init: () => Promise.resolve(),
      acquireConnection: () => Promise.resolve(this.#connection),
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
      releaseConnection: () => Promise.resolve(),
      destroy: () => Promise.resolve(),
    };
  }

  readonly #connection: DatabaseConnection = {
    executeQuery: async <Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) => {
      if (!this.#open) throw new Error("this transaction has ended");
      const { command, rowCount, rows } = await this.#query(sql, [...parameters]);
      const result: QueryResult<Row> = { rows: rows as Row[] };
      return command === "SELECT" || rowCount === null
        ? result
        : { ...result, numAffectedRows: BigInt(rowCount) };
    },
    streamQuery: () => {
      throw new Error("streaming is not supported");
    },
  };
}
