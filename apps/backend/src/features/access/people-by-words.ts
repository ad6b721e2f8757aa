import { sql } from "kysely";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { hasWords } from "./has-words.ts";
import { isKnown } from "./is-known.ts";
import type { Principal } from "./principals-store.ts";

interface Wanted {
  limit: number;
  /** Words of addresses count, too. */
  byAddress?: boolean;
  /** Where the page before ended. */
  after?: { sortName: string; id: string } | undefined;
}

export type FoundPerson = Principal & { sortName: string };

/** People with such a name whom the caller knows. No limit applies before that: people they do not know must not show. */
export async function knownPeopleByWords(
  context: CommandContext,
  typed: string,
  { limit, byAddress = false, after }: Wanted,
): Promise<FoundPerson[]> {
  const { db, tenantId } = context.transaction;
  const known = await isKnown(context, sql.ref("named.id"));
  const text = byAddress ? sql`concat(principal.name, ' ', principal.email)` : sql.ref("principal.name");
  const isAfter = after
    ? sql`(lower(principal.name), principal.id) > (${after.sortName}, ${after.id}::uuid)`
    : sql`true`;
  // guard: suggest-known-people
  const { rows } = await sql<FoundPerson>`
    with named as materialized (
      select principal.id, principal.kind, principal.name, principal.email, lower(principal.name) as "sortName"
      from app.principal as principal
      where principal.tenant_id = ${tenantId} and principal.kind = 'user' and principal.disabled_at is null
        and ${hasWords(text, typed)} and ${isAfter})
    select id, kind, name, email, "sortName" from named where ${known}
    order by "sortName", id limit ${limit}`.execute(db);
  return rows;
}
