import { sql } from "kysely";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { hasWords } from "./has-words.ts";
import { isKnown } from "./is-known.ts";
import type { Principal } from "./principals-store.ts";

/** People with such a name whom the caller knows. No limit applies before that: people they do not know must not show. */
export async function knownPeopleByWords(
  context: CommandContext,
  typed: string,
  limit: number,
): Promise<Pick<Principal, "id" | "kind" | "name">[]> {
  const { db, tenantId } = context.transaction;
  const known = await isKnown(context, sql.ref("named.id"));
  // guard: suggest-known-people
  const { rows } = await sql<Pick<Principal, "id" | "kind" | "name">>`
    with named as materialized (
      select principal.id, principal.kind, principal.name from app.principal as principal
      where principal.tenant_id = ${tenantId} and principal.kind = 'user' and principal.disabled_at is null
        and ${hasWords(sql.ref("principal.name"), typed)})
    select id, kind, name from named where ${known} order by lower(name), id limit ${limit}`.execute(db);
  return rows;
}
