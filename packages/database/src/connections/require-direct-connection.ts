import type pg from "pg";

/** The worker and `migrate` need connections that are theirs: a pooler lends them for a transaction. */
export class PooledConnection extends Error {
  override readonly name = "PooledConnection";
  readonly code = "pooled_connection";

  constructor() {
    super(
      "This database URL leads through a connection pooler such as PgBouncer. The worker listens for jobs and migrate " +
        "holds a lock, which a pooler would lose without an error. Use the address of PostgreSQL itself, or of a TCP " +
        "proxy such as HAProxy. Only the API may use the pooler.",
    );
  }
}

/**
 * At login a server says which of its processes serves the connection. A pooler cannot know that yet and makes a number
 * up, in session mode too. Comparing two connections would only find it by chance.
 */
export async function requireDirectConnection(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  // Not in the driver's types.
  const { processID } = client as unknown as { processID: number };
  if (rows[0]?.pid !== processID) throw new PooledConnection();
}
