import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

/** The names of workspaces, of these, in which each of these people has an entry. */
export async function workspacesByPerson(
  { db, tenantId }: TenantTransaction,
  people: readonly string[],
  workspaces: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  if (people.length === 0) return new Map();
  const { rows } = await sql<{ personId: string; names: string[] }>`
    select entry.principal_id as "personId", array_agg(workspace.name order by lower(workspace.name)) as names
    from app.acl_entry as entry
    join app.workspace as workspace on workspace.tenant_id = ${tenantId} and workspace.id = entry.scope_id
    where entry.tenant_id = ${tenantId} and entry.principal_id = any(${[...people]}::uuid[])
      and entry.scope_id = any(${[...workspaces]}::uuid[])
    group by entry.principal_id`.execute(db);
  return new Map(rows.map(({ personId, names }) => [personId, names]));
}
