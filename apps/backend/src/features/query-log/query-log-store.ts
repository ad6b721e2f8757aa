import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

export interface LoggedQuery {
  actorId: string;
  query: string;
  /** As it is counted. */
  normalised: string;
  hits: number;
  at: Date;
}

/**
 * A query replaces the one that it continues, even if another process wrote it; a query that was already continued is
 * left out.
 */
export async function writeQueries(
  transaction: TenantTransaction,
  queries: readonly LoggedQuery[],
  typingMillis: number,
): Promise<void> {
  const { db, tenantId } = transaction;
  const refused = new Set(await refusals(transaction));
  if (refused.has(null)) return;
  // Computed here and not in the conditions: under row security, arithmetic in a condition could leak through an
  // overflow, so PostgreSQL would not use the time as an index condition and would read everything that a person ever
  // asked (8 s for 160,000).
  const shifted = (millis: number) => logged.map(({ at }) => new Date(at.getTime() + millis));
  const logged = queries.filter(({ actorId }) => !refused.has(actorId));
  const asked = sql`unnest(${logged.map(({ actorId }) => actorId)}::uuid[], ${logged.map(({ query }) => query)}::text[],
    ${logged.map(({ normalised }) => normalised)}::text[], ${logged.map(({ hits }) => hits)}::int[],
    ${shifted(0)}::timestamptz[], ${shifted(-typingMillis)}::timestamptz[], ${shifted(typingMillis)}::timestamptz[])
    as asked (actor_id, query, normalised, hits, at, since, until)`;
  await sql`
    delete from app.search_query as before using ${asked}
    where before.tenant_id = ${tenantId} and before.actor_id = asked.actor_id
      and before.at between asked.since and asked.at
      and (starts_with(asked.normalised, before.normalised)
        or starts_with(before.normalised, asked.normalised)
          and strpos(substr(before.normalised, length(asked.normalised) + 1), ' ') = 0)`.execute(db);
  await sql`
    insert into app.search_query (tenant_id, actor_id, query, normalised, hits, at)
    select ${tenantId}, asked.actor_id, asked.query, asked.normalised, asked.hits, asked.at from ${asked}
    where not exists (
      select from app.search_query as after
      where after.tenant_id = ${tenantId} and after.actor_id = asked.actor_id
        and after.at > asked.at and after.at <= asked.until
        and starts_with(after.normalised, asked.normalised))`.execute(db);
}

/** People who turned the log off; null stands for the whole tenant. */
async function refusals({ db, tenantId }: TenantTransaction): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom("app.search_log_refusal")
    .select("actor_id")
    .where("tenant_id", "=", tenantId)
    .execute();
  return rows.map(({ actor_id }) => actor_id);
}

export async function isRefused(transaction: TenantTransaction, actorId: string | null): Promise<boolean> {
  return (await refusals(transaction)).includes(actorId);
}

/** Deletes kept queries of the person, or of everybody. */
export async function refuseLog({ db, tenantId }: TenantTransaction, actorId: string | null): Promise<void> {
  await sql`
    insert into app.search_log_refusal (tenant_id, actor_id) values (${tenantId}, ${actorId})
    on conflict do nothing`.execute(db);
  await sql`
    delete from app.search_query where tenant_id = ${tenantId}
      ${actorId === null ? sql`` : sql`and actor_id = ${actorId}`}`.execute(db);
}

export async function allowLog({ db, tenantId }: TenantTransaction, actorId: string | null): Promise<void> {
  await sql`
    delete from app.search_log_refusal
    where tenant_id = ${tenantId} and actor_id is not distinct from ${actorId}::uuid`.execute(db);
}

export interface VainQuery {
  query: string;
  people: number;
  times: number;
  foundBy: number;
  lastAt: Date;
}

/** Failed queries of several people, most people first. */
export async function vainQueries(
  { db, tenantId }: TenantTransaction,
  { since, leastPeople, limit }: { since: Date; leastPeople: number; limit: number },
): Promise<VainQuery[]> {
  const { rows } = await sql<VainQuery>`
    select normalised as query, count(distinct actor_id) filter (where hits = 0) as people,
      count(*) filter (where hits = 0) as times, count(distinct actor_id) filter (where hits > 0) as "foundBy",
      max(at) filter (where hits = 0) as "lastAt"
    from app.search_query where tenant_id = ${tenantId} and at >= ${since}
    group by normalised having count(distinct actor_id) filter (where hits = 0) >= ${leastPeople}
    order by people desc, times desc, normalised limit ${limit}`.execute(db);
  return rows;
}

export interface FrequentQuery {
  query: string;
  people: number;
}

/** Queries of several people, or of the caller, most people first. */
export async function frequentQueries(
  { db, tenantId }: TenantTransaction,
  { since, leastPeople, own, limit }: { since: Date; leastPeople: number; own: string; limit: number },
): Promise<FrequentQuery[]> {
  const { rows } = await sql<FrequentQuery>`
    select normalised as query, count(distinct actor_id) as people
    from app.search_query where tenant_id = ${tenantId} and at >= ${since}
    group by normalised having count(distinct actor_id) >= ${leastPeople} or bool_or(actor_id = ${own})
    order by people desc, count(*) desc, normalised limit ${limit}`.execute(db);
  return rows;
}
