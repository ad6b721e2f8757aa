import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { readSetting } from "./setting-store.ts";

/** The tenant's model, or the default; undefined if the deployment has no embedder either. */
export async function modelOf({
  transaction,
  search,
}: Pick<CommandContext, "transaction" | "search">): Promise<string | undefined> {
  return (await readSetting(transaction)).model ?? search.queryVectors.usualModel;
}

/** A file that awaits embedding, for callers who can read it. */
export interface WaitingFile {
  since: Date;
  attempts: number;
  /** Its last failure. */
  failure: string | null;
  notBefore: Date | null;
  lacksBudget: boolean;
  /** Its current content is parked. */
  isParked: boolean;
  /** It is part of a run in progress. */
  isInRun: boolean;
  /** Null if not scheduled yet. */
  nextRunAt: Date | null;
}

export async function findWaiting(
  { db, tenantId }: TenantTransaction,
  nodeId: string,
): Promise<WaitingFile | undefined> {
  const { rows } = await sql<WaitingFile>`
    select entry.enqueued_at as since, entry.attempts, entry.failure, entry.not_before as "notBefore",
      entry.lacks_budget as "lacksBudget", coalesce(entry.parked_version = node.content_version, false) as "isParked",
      coalesce(entry.enqueued_at <= run.started_at, false) as "isInRun", run.next_run_at as "nextRunAt"
    from app.embedding_index_queue_entry as entry
    join app.node as node on node.tenant_id = ${tenantId} and node.id = entry.node_id
    left join app.embedding_run as run on run.tenant_id = ${tenantId}
    where entry.tenant_id = ${tenantId} and entry.node_id = ${nodeId}`.execute(db);
  return rows[0];
}
