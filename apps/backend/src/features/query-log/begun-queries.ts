import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { beginsWith } from "../../platform/completions/prefix-range.ts";
import { normaliseQuery } from "./keep-query.ts";

/** Older ones are not remembered as recent: nobody looks for them while typing. */
const recentQueries = 500;

/** What the person looked for and found, and begins like this; latest first, each once. */
export async function ownQueries(
  { db, tenantId, actorId }: TenantTransaction,
  { typed, limit }: { typed: string; limit: number },
): Promise<string[]> {
  // guard: own-queries-only
  const { rows } = await sql<{ query: string }>`
    with recent as materialized (
      select query, normalised, hits, at from app.search_query
      where tenant_id = ${tenantId} and actor_id = ${actorId} order by at desc limit ${recentQueries}),
    each as (
      select distinct on (normalised) query, at from recent
      where hits > 0 and starts_with(normalised, ${beginning(typed)}) order by normalised, at desc)
    select query from each order by at desc limit ${limit}`.execute(db);
  return rows.map(({ query }) => query);
}

/**
 * What several people looked for and found, and begins like this; most people first. A program or an AI member is
 * nobody: one person could own five of them.
 */
export async function popularQueries(
  { db, tenantId }: TenantTransaction,
  { typed, since, leastPeople, limit }: { typed: string; since: Date; leastPeople: number; limit: number },
): Promise<string[]> {
  const from = beginning(typed);
  if (from === "") return [];
  // guard: popular-with-people
  const { rows } = await sql<{ query: string }>`
    select asked.normalised as query from app.search_query as asked
    join app.principal as person on person.tenant_id = ${tenantId} and person.id = asked.actor_id
    where asked.tenant_id = ${tenantId} and asked.at >= ${since} and asked.hits > 0
      and ${beginsWith(sql`asked.normalised collate "C"`, from)}
      and person.kind = 'user'
    group by asked.normalised having count(distinct asked.actor_id) >= ${leastPeople}
    order by count(distinct asked.actor_id) desc, asked.normalised limit ${limit}`.execute(db);
  return rows.map(({ query }) => query);
}

/** With its last space: "annual " does not begin "annually". */
function beginning(typed: string): string {
  return normaliseQuery(typed).trimStart();
}
