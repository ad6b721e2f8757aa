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

/** What one continues is replaced by it, even where another process wrote it, and one that was continued already is left out. */
export async function writeQueries(
  transaction: TenantTransaction,
  queries: readonly LoggedQuery[],
  typingMillis: number,
): Promise<void> {
  const { db, tenantId } = transaction;
  const refused = new Set(await refusals(transaction));
  if (refused.has(null)) return;
  // Counted here and not in the conditions: under row security, arithmetic there could leak by its overflow, so the time would
  // be no condition of the index, and all that a person ever asked was read (8 s of 160,000).
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

/** Who wants no log of what he looks for; null stands for the whole tenant. */
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

/** What was kept of him, or of everybody, goes with it. */
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

/** What several people looked for and did not find, most of them first. */
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

/** What several people looked for, or one whose own they are, most of them first. */
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
