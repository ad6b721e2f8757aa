import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

/** The totals of a month from the ledger, and the current limit, without using the stored sums. */
export async function readTruth(
  { db, tenantId }: TenantTransaction,
  month: string,
  defaultLimitMicros: bigint,
): Promise<{ limit: bigint; ledger: bigint; held: bigint }> {
  const { rows } = await sql<{ limit: string | null; ledger: string; held: string }>`
    select (select limit_micros::text from app.ai_budget_limit where tenant_id = ${tenantId}) as limit,
      coalesce(sum(micros), 0)::text as ledger,
      coalesce(sum(reserved_micros) filter (where outcome = 'held'), 0)::text as held
    from app.ai_spend where tenant_id = ${tenantId} and month = ${month}::date`.execute(db);
  const { limit = null, ledger = 0, held = 0 } = rows[0] ?? {};
  return {
    limit: limit === null ? defaultLimitMicros : BigInt(limit),
    ledger: BigInt(ledger),
    held: BigInt(held),
  };
}

/** The stored sums of each month, next to those of the ledger. */
export async function readMonths({ db, tenantId }: TenantTransaction) {
  const { rows } = await sql<{
    month: string;
    spent: number;
    reserved: number;
    ledger: number;
    held: number;
    alerted: 0 | 80 | 100;
  }>`
    select budget.month::text, spent_micros as spent, budget.reserved_micros as reserved,
      coalesce(sum(micros), 0)::bigint as ledger,
      coalesce(sum(spend.reserved_micros) filter (where outcome = 'held'), 0)::bigint as held,
      case when alerted_100_at is not null then 100 when alerted_80_at is not null then 80 else 0 end as alerted
    from app.ai_budget as budget left join app.ai_spend as spend using (tenant_id, month)
    where budget.tenant_id = ${tenantId} group by budget.tenant_id, budget.month`.execute(db);
  return rows;
}
