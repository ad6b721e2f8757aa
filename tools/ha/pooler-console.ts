import { withClient } from "../bench/with-client.ts";
import { poolerPort } from "./cell-layout.ts";
import { pausedWaitSeconds, queryWaitSeconds } from "./cell-settings.ts";

/** Holds all callers of PgBouncer back while `work` runs; they wait instead of failing. */
export async function whilePaused<T>(work: () => Promise<T>): Promise<T> {
  const console = `postgres://postgres@127.0.0.1:${poolerPort}/pgbouncer`;
  return withClient(console, async (client) => {
    await client.query(`SET query_wait_timeout = ${pausedWaitSeconds}`);
    try {
      // Returns when running transactions have ended.
      await client.query("PAUSE");
      return await work();
    } finally {
      await client.query("RESUME");
      await client.query(`SET query_wait_timeout = ${queryWaitSeconds}`);
    }
  });
}
