import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import type { AuditLink } from "../../platform/audit/audit-chain.ts";

export interface AuditRow {
  sequence: number;
  at: Date;
  actorName: string | null;
  command: string;
  outcome: string;
  entry: {
    effect?: string;
    code?: string;
    operation?: string;
    line?: number;
    more?: number;
    requestId?: string;
    callerRequestId?: string;
    arguments?: Record<string, unknown>;
  };
}

export async function listAudit(
  { db, tenantId }: TenantTransaction,
  {
    before,
    command,
    outcome,
    limit,
  }: {
    before?: number | undefined;
    command?: string | undefined;
    outcome?: string | undefined;
    limit: number;
  },
): Promise<AuditRow[]> {
  const rows = await db
    .selectFrom("app.audit as audit")
    .leftJoin("app.principal as principal", (join) =>
      join.onRef("principal.tenant_id", "=", "audit.tenant_id").onRef("principal.id", "=", "audit.actor_id"),
    )
    .select([
      "audit.sequence",
      "audit.at",
      "principal.name as actorName",
      "audit.command",
      "audit.outcome",
      "audit.entry",
    ])
    .where("audit.tenant_id", "=", tenantId)
    .$if(before !== undefined, (query) => query.where("audit.sequence", "<", before ?? 0))
    .$if(command !== undefined, (query) => query.where("audit.command", "=", command ?? ""))
    .$if(outcome !== undefined, (query) => query.where("audit.outcome", "=", outcome ?? ""))
    .orderBy("audit.sequence", "desc")
    .limit(limit)
    .execute();
  return rows as unknown as AuditRow[];
}

/** In chain order, with each entry's exact text. */
export function readChain(
  { db, tenantId }: TenantTransaction,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<AuditLink[]> {
  return db
    .selectFrom("app.audit")
    .select(["sequence", "at", "actor_id as actorId", "command", "outcome"])
    .select([sql<string>`entry::text`.as("entry"), "previous_hash as previousHash", "hash"])
    .where("tenant_id", "=", tenantId)
    .where("sequence", ">", after)
    .where("sequence", "<=", upTo)
    .orderBy("sequence")
    .limit(limit)
    .execute();
}

/**
 * The end of the chain, and an entry outside it, if any. One statement, so that an entry that arrives at the same time
 * is not mistaken for one: it comes with its head.
 */
export async function readHead({ db, tenantId }: TenantTransaction) {
  const { rows } = await sql<{ sequence: number | null; hash: Buffer | null; stray: number | null }>`
    select head.sequence, head.hash, (
      select min(sequence) from app.audit
      where tenant_id = ${tenantId} and sequence not between 1 and coalesce(head.sequence, 0)) as stray
    from (values (1)) as once left join app.audit_head as head on head.tenant_id = ${tenantId}`.execute(db);
  return rows[0];
}
