import type { Database, TenantTransaction } from "@svc/database/database";
import { type RawBuilder, sql } from "kysely";

export type Purpose = "document" | "query";

/** Text from the database: a driver that turns bigints into numbers would turn money into floats. */
type Micros = string;

export interface NewHold {
  month: string;
  purpose: Purpose;
  micros: bigint;
  now: Date;
  expiresAt: Date;
  defaultLimitMicros: bigint;
}

/**
 * Locks the limit, then the month, then adds to the ledger, all in one statement; undefined if the amount does not fit.
 * An amount above the whole limit creates no month: the sum of spent and held is never below zero.
 */
export async function insertHold(
  { db, tenantId }: TenantTransaction,
  { month, purpose, micros, now, expiresAt, defaultLimitMicros }: NewHold,
): Promise<string | undefined> {
  // guard: holds-fit-limit
  const { rows } = await sql<{ id: string }>`
    with allowed as (
      insert into app.ai_budget_limit as setting (tenant_id) values (${tenantId})
      on conflict (tenant_id) do update set limit_micros = setting.limit_micros
      returning coalesce(limit_micros, ${defaultLimitMicros}::bigint) as micros),
    reserved as (
      insert into app.ai_budget as budget (tenant_id, month, limit_micros, reserved_micros)
      select ${tenantId}, ${month}::date, micros, ${micros}::bigint from allowed where ${micros}::bigint <= micros
      on conflict (tenant_id, month) do update
      set reserved_micros = budget.reserved_micros + excluded.reserved_micros, limit_micros = excluded.limit_micros
      where budget.spent_micros + budget.reserved_micros + excluded.reserved_micros <= excluded.limit_micros
      returning tenant_id, month)
    insert into app.ai_spend (tenant_id, month, purpose, reserved_micros, reserved_at, expires_at)
    select tenant_id, month, ${purpose}, ${micros}, ${now}, ${expiresAt} from reserved
    returning id`.execute(db);
  return rows[0]?.id;
}

interface Ending {
  /** Which rows of the ledger. */
  which: RawBuilder<unknown>;
  outcome: "settled" | "estimated" | "released" | "expired";
  /** Undefined means the reserved amount. */
  micros: bigint | undefined;
  model?: string | undefined;
  calls?: number;
  tokens?: number;
  now: Date;
}

export interface Ended {
  holds: number;
  micros: bigint;
  /** The higher one if both were crossed. */
  crossed: 80 | 100 | undefined;
}

/**
 * The only way to end a hold. Rereads its row after waiting for a caller that ended it first: of several callers, only
 * one finds it open. Only rows of one month.
 */
async function endHolds(
  transaction: TenantTransaction,
  { which, outcome, micros, model, calls = 0, tokens = 0, now }: Ending,
): Promise<Ended> {
  const { db, tenantId } = transaction;
  // guard: holds-end-once
  const { rows } = await sql<Total>`
    with ended as (
      update app.ai_spend as spend
      set outcome = ${outcome}, micros = least(coalesce(${micros ?? null}::bigint, reserved_micros), reserved_micros),
        model = ${model ?? null}, calls = ${calls}, tokens = ${tokens}, ended_at = ${now}
      where tenant_id = ${tenantId} and outcome in ('held', 'expired') and ${which}
      returning new.month, new.micros, new.micros - coalesce(old.micros, 0) as booked,
        case old.outcome when 'held' then new.reserved_micros else 0 end as freed)
    select month::text, count(*) as holds, sum(micros)::text as micros, sum(booked)::text as booked,
      sum(freed)::text as freed
    from ended group by month`.execute(db);
  const [total] = rows;
  if (!total) return { holds: 0, micros: 0n, crossed: undefined };
  const crossed = await book(transaction, total, now);
  return { holds: total.holds, micros: BigInt(total.micros), crossed };
}

interface Total {
  month: string;
  holds: number;
  micros: Micros;
  booked: Micros;
  freed: Micros;
}

/**
 * The only statement that spends. It is separate: combined with the ledger's, its snapshot would predate another
 * caller's expiry of the hold, and a correction of what that month has not spent yet would fail its checks before the
 * row is reread.
 */
async function book(
  { db, tenantId }: TenantTransaction,
  { month, booked, freed }: Total,
  now: Date,
): Promise<Ended["crossed"]> {
  const spent = sql`(budget.spent_micros + ${booked}::bigint)`;
  // Only by spending, not by a correction, nor by a free call under a limit of zero.
  const reached = (percent: number) =>
    sql`case when ${booked}::bigint > 0 and ${spent} * 100 >= budget.limit_micros * ${sql.lit(percent)}
      then ${now}::timestamptz end`;
  // guard: spending-is-booked
  const { rows } = await sql<{ crossed: 80 | 100 | null }>`
    update app.ai_budget as budget
    set spent_micros = ${spent}, reserved_micros = budget.reserved_micros - ${freed}::bigint,
      alerted_80_at = coalesce(budget.alerted_80_at, ${reached(80)}),
      alerted_100_at = coalesce(budget.alerted_100_at, ${reached(100)})
    where tenant_id = ${tenantId} and month = ${month}::date
    returning case
      when old.alerted_100_at is null and new.alerted_100_at is not null then 100
      when old.alerted_80_at is null and new.alerted_80_at is not null then 80 end as crossed`.execute(db);
  return rows[0]?.crossed ?? undefined;
}

export function endHold(
  transaction: TenantTransaction,
  id: string,
  ending: Omit<Ending, "which">,
): Promise<Ended> {
  return endHolds(transaction, { ...ending, which: sql`id = ${id}` });
}

/** At the full reservation, because the model may have been called. */
export function expireHolds(transaction: TenantTransaction, month: string, now: Date): Promise<Ended> {
  const which = sql`outcome = 'held' and month = ${month}::date and expires_at <= ${now}`;
  // guard: expired-holds-are-spent
  return endHolds(transaction, { which, outcome: "expired", micros: undefined, now });
}

export async function monthsWithExpiredHolds(
  database: Pick<Database, "withDirectory">,
  now: Date,
  limit: number,
): Promise<{ tenantId: string; month: string }[]> {
  return database.withDirectory(async (db) => {
    const { rows } = await sql<{ tenantId: string; month: string }>`
      select tenant_id as "tenantId", month from app.months_with_expired_holds(${now}, ${limit})`.execute(db);
    return rows;
  });
}

export interface BudgetMonth {
  limitMicros: bigint;
  isLimitSet: boolean;
  spentMicros: bigint;
  heldMicros: bigint;
  leftMicros: bigint;
  alerted80At: Date | null;
  alerted100At: Date | null;
}

export async function readMonth(
  { db, tenantId }: TenantTransaction,
  month: string,
  defaultLimitMicros: bigint,
): Promise<BudgetMonth> {
  const { rows } = await sql<{
    limit: Micros | null;
    spent: Micros | null;
    held: Micros | null;
    alerted80At: Date | null;
    alerted100At: Date | null;
  }>`
    select setting.limit_micros::text as limit, budget.spent_micros::text as spent,
      budget.reserved_micros::text as held, alerted_80_at as "alerted80At", alerted_100_at as "alerted100At"
    from (select) as one
    left join app.ai_budget_limit as setting on setting.tenant_id = ${tenantId}
    left join app.ai_budget as budget on budget.tenant_id = ${tenantId} and budget.month = ${month}::date`.execute(
    db,
  );
  const { limit = null, spent, held, alerted80At = null, alerted100At = null } = rows[0] ?? {};
  const limitMicros = limit === null ? defaultLimitMicros : BigInt(limit);
  const [spentMicros, heldMicros] = [BigInt(spent ?? 0), BigInt(held ?? 0)];
  const rest = limitMicros - spentMicros - heldMicros;
  const leftMicros = rest > 0n ? rest : 0n;
  const isLimitSet = limit !== null;
  return { limitMicros, isLimitSet, spentMicros, heldMicros, leftMicros, alerted80At, alerted100At };
}

export interface Use {
  purpose: Purpose;
  /** Null if the call never reported it, because its hold expired. */
  model: string | null;
  calls: number;
  tokens: number;
  micros: bigint;
}

/** What the month's money went to, most expensive first. */
export async function readUses({ db, tenantId }: TenantTransaction, month: string): Promise<Use[]> {
  const { rows } = await sql<Omit<Use, "micros"> & { micros: Micros }>`
    select purpose, model, sum(calls) as calls, sum(tokens)::bigint as tokens, sum(micros)::text as micros
    from app.ai_spend
    where tenant_id = ${tenantId} and month = ${month}::date and outcome not in ('held', 'released')
    group by purpose, model order by sum(micros) desc, purpose, model`.execute(db);
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }));
}

export interface LimitSetting {
  limitMicros: bigint | null;
  version: number;
}

/** Until the transaction ends, nobody can reserve. */
export async function lockLimit({ db, tenantId }: TenantTransaction): Promise<LimitSetting> {
  const { rows } = await sql<{ micros: Micros | null; version: number }>`
    insert into app.ai_budget_limit as setting (tenant_id) values (${tenantId})
    on conflict (tenant_id) do update set limit_micros = setting.limit_micros
    returning limit_micros::text as micros, version`.execute(db);
  const { micros = null, version = 1 } = rows[0] ?? {};
  return { limitMicros: micros === null ? null : BigInt(micros), version };
}

/** For the current month, which needs it for its alerts, and for later ones. */
export async function saveLimit(
  { db, tenantId }: TenantTransaction,
  { limitMicros, version }: LimitSetting,
  { month, defaultLimitMicros }: { month: string; defaultLimitMicros: bigint },
): Promise<void> {
  await sql`
    update app.ai_budget_limit set limit_micros = ${limitMicros}, version = ${version}
    where tenant_id = ${tenantId}`.execute(db);
  await sql`
    update app.ai_budget set limit_micros = ${limitMicros ?? defaultLimitMicros}
    where tenant_id = ${tenantId} and month >= ${month}::date`.execute(db);
}
