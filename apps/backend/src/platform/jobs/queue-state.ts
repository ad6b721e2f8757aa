import type { DB } from "@svc/database/tables.generated";
import { type Kysely, sql } from "kysely";

export interface QueueState {
  /** Jobs that could start now, and how long the first of them could have. */
  ready: number;
  oldestReadySeconds: number;
  running: number;
  /** Jobs that failed so often that they are not tried again. */
  failed: number;
}

/** Of all workers together. Jobs of other versions' tasks are left out: nobody may be there to run them. */
export async function readQueueState(db: Kysely<DB>, tasks: readonly string[]): Promise<QueueState> {
  const { rows } = await sql<QueueState>`
    select count(*) filter (where is_ready) as ready,
           coalesce(extract(epoch from now() - min(run_at) filter (where is_ready)), 0)::float8
             as "oldestReadySeconds",
           count(*) filter (where locked_at is not null) as running,
           count(*) filter (where locked_at is null and attempts >= max_attempts) as failed
    from (
      select *, locked_at is null and attempts < max_attempts and run_at <= now() as is_ready
      from graphile_worker.jobs where task_identifier = any(${tasks})
    ) as job`.execute(db);
  return rows[0] as QueueState;
}
