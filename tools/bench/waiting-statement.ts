import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { withClient } from "./with-client.ts";

const patience = 10_000;

/**
 * The statement that a request makes on a table, as the product sends it: a lock holds it up, and the server shows
 * what waits. So the baseline runs the very same SQL, without a copy of it here that would grow old.
 */
export async function findWaitingStatement(
  adminUrl: string,
  table: string,
  request: () => Promise<unknown>,
): Promise<string> {
  return withClient(adminUrl, async (client) => {
    await client.query("begin");
    await client.query(`lock table ${table} in access exclusive mode`);
    const answered = request();
    const statement = await waitingStatement(client);
    await client.query("rollback");
    await answered;
    return statement;
  });
}

async function waitingStatement(client: pg.Client): Promise<string> {
  for (const deadline = Date.now() + patience; Date.now() < deadline; await sleep(20)) {
    // Inside a transaction the server's statistics stand still unless they are asked for anew.
    await client.query("select pg_stat_clear_snapshot()");
    const { rows } = await client.query<{ query: string; cut: boolean }>(
      `select query, octet_length(query) >= pg_size_bytes(current_setting('track_activity_query_size')) - 1 as cut
       from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))`,
    );
    const [waiting] = rows;
    if (waiting?.cut) throw new Error("the server shows only a part of it: raise track_activity_query_size");
    if (waiting) return waiting.query;
  }
  throw new Error("nothing waits for the lock: the request does not read that table");
}
