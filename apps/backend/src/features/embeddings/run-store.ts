import type { Database, TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { tellProgress } from "../../platform/jobs/operations-store.ts";
import { workable } from "./queue-store.ts";

export type RunOutcome = "done" | "lacks_budget" | "no_embedder";

export interface Run {
  /** Null if not scheduled yet. */
  nextRunAt: Date | null;
  /** Null if none is in progress. */
  startedAt: Date | null;
  operationId: string | null;
  total: number;
  done: number;
  failed: number;
  lastEndedAt: Date | null;
  lastOutcome: RunOutcome | null;
}

const runColumns = sql`
  next_run_at as "nextRunAt", started_at as "startedAt", operation_id as "operationId", total, done, failed,
  last_ended_at as "lastEndedAt", last_outcome as "lastOutcome"`;

export async function readRun({ db, tenantId }: TenantTransaction): Promise<Run | undefined> {
  const { rows } = await sql<Run>`
    select ${runColumns} from app.embedding_run where tenant_id = ${tenantId}`.execute(db);
  return rows[0];
}

/** From now on the tenant has runs. */
export async function haveRuns({ db, tenantId }: TenantTransaction): Promise<void> {
  await sql`
    insert into app.embedding_run (tenant_id) values (${tenantId}) on conflict (tenant_id) do nothing`.execute(
    db,
  );
}

/** Locks the run if it must be planned or started; undefined if another worker does that. */
export async function lockDueRun(
  { db, tenantId }: TenantTransaction,
  now: Date,
): Promise<Pick<Run, "nextRunAt"> | undefined> {
  const { rows } = await sql<Pick<Run, "nextRunAt">>`
    select next_run_at as "nextRunAt" from app.embedding_run
    where tenant_id = ${tenantId} and (next_run_at is null or (started_at is null and next_run_at <= ${now}))
    for update skip locked`.execute(db);
  return rows[0];
}

/** Null if the job decides when. */
export async function planRun({ db, tenantId }: TenantTransaction, at: Date | null): Promise<void> {
  await sql`update app.embedding_run set next_run_at = ${at} where tenant_id = ${tenantId}`.execute(db);
}

/** Starts a run, which retries what lacked money. Undefined if one is in progress. */
export async function startRun(transaction: TenantTransaction, now: Date): Promise<Run | undefined> {
  const { db, tenantId } = transaction;
  await haveRuns(transaction);
  const { rows } = await sql<Run>`
    update app.embedding_run
    set started_at = ${now}, touched_at = '-infinity', operation_id = null, last_ended_at = null, last_outcome = null,
      done = 0, failed = 0, total = (select count(*) from app.embedding_index_queue_entry where tenant_id = ${tenantId})
    where tenant_id = ${tenantId} and started_at is null
    returning ${runColumns}`.execute(db);
  if (!rows[0]) return undefined;
  await sql`
    update app.embedding_index_queue_entry set lacks_budget = false
    where tenant_id = ${tenantId} and lacks_budget`.execute(db);
  return rows[0];
}

export async function giveOperation({ db, tenantId }: TenantTransaction, operationId: string): Promise<void> {
  await sql`
    update app.embedding_run set operation_id = ${operationId} where tenant_id = ${tenantId}`.execute(db);
}

/** Records the progress, and ends the run if nothing is left to do; returns whether it ended. */
export async function goOnOrEnd(
  transaction: TenantTransaction,
  { done, failed, now }: { done: number; failed: number; now: Date },
): Promise<boolean> {
  const { db, tenantId } = transaction;
  const { rows } = await sql<Run & { isOver: boolean; lacksBudget: boolean }>`
    update app.embedding_run as run set done = run.done + ${done}, failed = run.failed + ${failed}
    where tenant_id = ${tenantId} and started_at is not null
    returning ${runColumns}, not exists (${workable(tenantId, sql`run.started_at`)}) as "isOver", exists (
      select from app.embedding_index_queue_entry as entry
      where entry.tenant_id = ${tenantId} and entry.lacks_budget) as "lacksBudget"`.execute(db);
  const [run] = rows;
  if (!run) return false;
  if (run.isOver) await endRun(transaction, run.lacksBudget ? "lacks_budget" : "done", now);
  else await tell(transaction, run, "running");
  return run.isOver;
}

const outcomeNotes: Record<RunOutcome, string | null> = {
  done: null,
  lacks_budget: "the budget is used up; the rest waits for the next run",
  no_embedder: "the deployment has no embedder for the tenant's model",
};

export async function endRun(transaction: TenantTransaction, outcome: RunOutcome, now: Date): Promise<void> {
  const { db, tenantId } = transaction;
  const { rows } = await sql<Run>`
    update app.embedding_run set started_at = null, last_ended_at = ${now}, last_outcome = ${outcome}
    where tenant_id = ${tenantId} and started_at is not null returning ${runColumns}`.execute(db);
  const [run] = rows;
  if (run) await tell(transaction, run, outcome === "done" ? "done" : "failed", outcomeNotes[outcome]);
}

async function tell(
  transaction: TenantTransaction,
  { operationId, done, failed, total }: Run,
  state: "running" | "done" | "failed",
  note: string | null = null,
): Promise<void> {
  if (operationId === null) return;
  const notes = [...(note === null ? [] : [note]), ...(failed > 0 ? [`${failed} attempts failed`] : [])];
  await tellProgress(transaction, operationId, {
    state,
    done,
    total: Math.max(total, done),
    note: notes.length === 0 ? null : notes.join("; "),
  });
}

export async function dueRuns(
  database: Pick<Database, "withDirectory">,
  now: Date,
  limit: number,
): Promise<string[]> {
  return database.withDirectory(async (db) => {
    const { rows } = await sql<{ id: string }>`
      select id from app.due_embedding_runs(${now}, ${limit}) as due (id)`.execute(db);
    return rows.map(({ id }) => id);
  });
}

/** The tenant that waited longest, except those that have their share of this process. */
export async function claimTurn(
  database: Pick<Database, "withDirectory">,
  served: readonly string[],
): Promise<string | undefined> {
  return database.withDirectory(async (db) => {
    const { rows } = await sql<{ id: string }>`
      select id from app.next_embedding_turn(${served}) as next (id)`.execute(db);
    return rows[0]?.id;
  });
}

/** Nothing to do now: others hold the rest, or it is scheduled for later. */
export async function restFor({ db, tenantId }: TenantTransaction, millis: number): Promise<void> {
  await sql`
    update app.embedding_run set touched_at = now() + ${millis} * interval '1 millisecond'
    where tenant_id = ${tenantId}`.execute(db);
}
