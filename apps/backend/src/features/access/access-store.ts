import type { TenantTransaction } from "@svc/database/database";
import { type RawBuilder, sql } from "kysely";
import { noteChange } from "../../platform/undo/last-change.ts";
import type { ScopeRow } from "./rights.ts";
import type { Role } from "./role.ts";

/** A principal and their groups, including nested ones: an array, which PostgreSQL computes once for a whole statement. */
export function principalsOf(tenantId: string, principalId: string | RawBuilder<unknown>) {
  // guard: groups-in-groups
  return sql<string[]>`array(
    with recursive me as (
      select (${principalId})::uuid as id
      union
      select membership.group_id
      from me
      join app.group_member as membership
        on membership.tenant_id = ${tenantId} and membership.principal_id = me.id
      join app.principal as enclosing
        on enclosing.tenant_id = ${tenantId} and enclosing.id = membership.group_id and enclosing.disabled_at is null)
    select id from me)`;
}

/** All scopes of a workspace with the entries of one principal in them, for queries that read the workspace too. */
export function scopesOf(tenantId: string, principalId: string, workspaceId: RawBuilder<unknown> | string) {
  return sql<ScopeRow>`${scopesWith(tenantId, principalId)}
    where scope.tenant_id = ${tenantId} and scope.workspace_id = ${workspaceId}
    group by scope.id, scope.workspace_id, scope.parent_id, scope.inherits, scope.anchor_id`;
}

/** Scopes of every live workspace in which the principal has an entry. */
export async function readAllScopes(
  { db, tenantId }: TenantTransaction,
  principalId: string,
): Promise<(ScopeRow & { workspaceId: string })[]> {
  const { rows } = await sql<ScopeRow & { workspaceId: string }>`
    ${scopesWith(tenantId, principalId)}
    where scope.tenant_id = ${tenantId} and scope.workspace_id in (
      select entered.workspace_id
      from app.acl_entry as mine
      join app.acl_scope as entered on entered.tenant_id = ${tenantId} and entered.id = mine.scope_id
      join app.workspace as workspace
        on workspace.tenant_id = ${tenantId} and workspace.id = entered.workspace_id and workspace.trashed_at is null
      where mine.tenant_id = ${tenantId} and mine.principal_id = any(${principalsOf(tenantId, principalId)}))
    group by scope.id, scope.workspace_id, scope.parent_id, scope.inherits, scope.anchor_id`.execute(db);
  return rows;
}

/** Only live workspaces. */
export async function listWorkspaceIds({ db, tenantId }: TenantTransaction): Promise<string[]> {
  const rows = await db
    .selectFrom("app.workspace")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("trashed_at", "is", null)
    .execute();
  return rows.map(({ id }) => id);
}

function scopesWith(tenantId: string, principalId: string) {
  return sql`
    select scope.id, scope.workspace_id as "workspaceId", scope.parent_id as "parentId", scope.inherits, scope.anchor_id as "anchorId",
           -- Alphabetically: editor < owner < viewer, so the strength is spelled out.
           (array['viewer', 'editor', 'owner'])[max(${strength}) filter (where entry.principal_id <> scope.workspace_id)]
             as own,
           (array['viewer', 'editor', 'owner'])[max(${strength}) filter (where entry.principal_id = scope.workspace_id)]
             as everyone
    from app.acl_scope as scope
    left join app.acl_entry as entry
      on entry.tenant_id = scope.tenant_id and entry.scope_id = scope.id
     and (entry.principal_id = any(${principalsOf(tenantId, principalId)}) or entry.principal_id = scope.workspace_id)`;
}

export async function readScopes(
  { db, tenantId }: TenantTransaction,
  workspaceId: string,
  principalId: string,
): Promise<ScopeRow[]> {
  return (await scopesOf(tenantId, principalId, workspaceId).execute(db)).rows;
}

/** For somebody other than the caller. */
export async function readRightsOf(
  transaction: TenantTransaction,
  workspaceId: string,
  principalId: string,
): Promise<{ scopes: ScopeRow[]; isAdministrator: boolean }> {
  const { db, tenantId } = transaction;
  const { is_administrator } = await db
    .selectFrom("app.principal")
    .select("is_administrator")
    .where("tenant_id", "=", tenantId)
    .where("id", "=", principalId)
    .executeTakeFirstOrThrow();
  return {
    scopes: await readScopes(transaction, workspaceId, principalId),
    isAdministrator: is_administrator,
  };
}

const strength = sql.raw("case entry.role when 'owner' then 3 when 'editor' then 2 when 'viewer' then 1 end");

export interface Entry {
  scopeId: string;
  principalId: string;
  role: Role;
  /** Null for everyone in the workspace. */
  name: string | null;
  email: string | null;
  kind: "user" | "service" | "ai" | "group" | null;
}

export async function readEntries(
  { db, tenantId }: TenantTransaction,
  scopeIds: readonly string[],
): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select entry.scope_id as "scopeId", entry.principal_id as "principalId", entry.role, principal.name,
           principal.email, principal.kind
    from app.acl_entry as entry
    left join app.principal as principal
      on principal.tenant_id = entry.tenant_id and principal.id = entry.principal_id
    where entry.tenant_id = ${tenantId} and entry.scope_id = any(${[...scopeIds]}::uuid[])
      and principal.disabled_at is null
    order by principal.name nulls first, entry.principal_id`.execute(db);
  return rows;
}

/** Includes deleted groups, which count again if the deletion is undone. */
export async function hasEntries({ db, tenantId }: TenantTransaction, scopeId: string): Promise<boolean> {
  const found = await db
    .selectFrom("app.acl_entry")
    .select("scope_id")
    .where("tenant_id", "=", tenantId)
    .where("scope_id", "=", scopeId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** A scope and the scopes above it, up to the workspace's own. */
export async function readChain(
  { db, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<{ id: string; inherits: boolean; anchorId: string }[]> {
  const { rows } = await sql<{ id: string; inherits: boolean; anchorId: string }>`
    with recursive chain as (
      select 0 as depth, ${scopeId}::uuid as id
      union all
      select chain.depth + 1, scope.parent_id
      from chain join app.acl_scope as scope on scope.tenant_id = ${tenantId} and scope.id = chain.id
      where scope.parent_id is not null)
    select scope.id, scope.inherits, scope.anchor_id as "anchorId"
    from chain join app.acl_scope as scope on scope.tenant_id = ${tenantId} and scope.id = chain.id
    order by chain.depth`.execute(db);
  return rows;
}

export async function listPrincipals(
  { db, tenantId }: TenantTransaction,
  principalId: string,
): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`select unnest(${principalsOf(tenantId, principalId)}) as id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function findScope(
  { db, tenantId }: TenantTransaction,
  match: { id: string } | { anchorId: string },
) {
  return db
    .selectFrom("app.acl_scope")
    .select([
      "id",
      "workspace_id as workspaceId",
      "parent_id as parentId",
      "inherits",
      "anchor_id as anchorId",
    ])
    .where("tenant_id", "=", tenantId)
    .where((where) => ("id" in match ? where("id", "=", match.id) : where("anchor_id", "=", match.anchorId)))
    .executeTakeFirst();
}

export async function insertScope(
  { db, tenantId }: TenantTransaction,
  scope: { workspaceId: string; parentId: string; anchorId: string; inherits: boolean },
): Promise<string> {
  const { id } = await db
    .insertInto("app.acl_scope")
    .values({
      tenant_id: tenantId,
      workspace_id: scope.workspaceId,
      parent_id: scope.parentId,
      anchor_id: scope.anchorId,
      inherits: scope.inherits,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function setInherits(
  { db, tenantId }: TenantTransaction,
  id: string,
  inherits: boolean,
): Promise<void> {
  await db
    .updateTable("app.acl_scope")
    .set({ inherits })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .execute();
}

/** Attaches the scopes below it to its parent. */
export async function deleteScope(
  { db, tenantId }: TenantTransaction,
  id: string,
  parentId: string,
): Promise<void> {
  await db
    .updateTable("app.acl_scope")
    .set({ parent_id: parentId })
    .where("tenant_id", "=", tenantId)
    .where("parent_id", "=", id)
    .execute();
  await db.deleteFrom("app.acl_scope").where("tenant_id", "=", tenantId).where("id", "=", id).execute();
}

export async function findEntry(
  { db, tenantId }: TenantTransaction,
  scopeId: string,
  principalId: string,
): Promise<Role | undefined> {
  const row = await db
    .selectFrom("app.acl_entry")
    .select("role")
    .where("tenant_id", "=", tenantId)
    .where("scope_id", "=", scopeId)
    .where("principal_id", "=", principalId)
    .forUpdate()
    .executeTakeFirst();
  return row?.role as Role | undefined;
}

export async function putEntry(
  transaction: TenantTransaction,
  scopeId: string,
  principalId: string,
  role: Role,
): Promise<void> {
  const { db, tenantId } = transaction;
  await noteEntryChange(transaction, scopeId, principalId);
  await db
    .insertInto("app.acl_entry")
    .values({ tenant_id: tenantId, scope_id: scopeId, principal_id: principalId, role })
    .onConflict((conflict) =>
      conflict.columns(["tenant_id", "scope_id", "principal_id"]).doUpdateSet({ role }),
    )
    .execute();
}

export async function deleteEntry(
  transaction: TenantTransaction,
  scopeId: string,
  principalId: string,
): Promise<void> {
  const { db, tenantId } = transaction;
  await noteEntryChange(transaction, scopeId, principalId);
  await db
    .deleteFrom("app.acl_entry")
    .where("tenant_id", "=", tenantId)
    .where("scope_id", "=", scopeId)
    .where("principal_id", "=", principalId)
    .execute();
}

/** By the subject of the list, because lists come and go. */
async function noteEntryChange(
  transaction: TenantTransaction,
  scopeId: string,
  principalId: string,
): Promise<void> {
  const scope = await findScope(transaction, { id: scopeId });
  if (!scope) throw new Error("an entry of a missing access list");
  await noteChange(transaction, { subjectId: scope.anchorId, partId: principalId });
}

export async function countOwners({ db, tenantId }: TenantTransaction, scopeId: string): Promise<number> {
  // Locked, so that two owners who remove each other at once do not leave the workspace without an owner.
  const rows = await db
    .selectFrom("app.acl_entry")
    .select("principal_id")
    .where("tenant_id", "=", tenantId)
    .where("scope_id", "=", scopeId)
    .where("role", "=", "owner")
    .orderBy("principal_id")
    .forUpdate()
    .execute();
  return rows.length;
}
