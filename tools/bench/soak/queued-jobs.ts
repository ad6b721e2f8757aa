import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "../with-client.ts";

/** Jobs that change nothing for callers and take no arguments. */
const tasks = ["embeddings:run", "operations:sweep-expired", "search:keep-current", "files:collect-blobs"];

/** Fails while the database is out of reach, like any caller. */
export async function queueJobs(adminUrl: string): Promise<void> {
  await withClient(adminUrl, (client) =>
    client.query("select graphile_worker.add_job(task) from unnest($1::text[]) as task", [tasks]),
  );
}

/** How many are still ready after some patience. A killed worker's job stays locked for hours and is not ready. */
export async function jobsLeft(adminUrl: string, patienceMillis: number): Promise<number> {
  const end = performance.now() + patienceMillis;
  for (;;) {
    const left = await withClient(adminUrl, async (client) => {
      const { rows } = await client.query<{ left: number }>(
        `select count(*)::int as left from graphile_worker.jobs
         where task_identifier = any($1) and locked_at is null and attempts < max_attempts`,
        [tasks],
      );
      return rows[0]?.left ?? 0;
    });
    if (left === 0 || performance.now() > end) return left;
    await sleep(500);
  }
}
