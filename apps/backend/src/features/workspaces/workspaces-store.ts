import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { beginsWith } from "../../platform/completions/prefix-range.ts";
import type { LeftBy } from "../../platform/undo/left-by.ts";
import { principalsOf, type Role, type ScopeRow, scopesOf } from "../access/access.ts";

export interface Workspace {
  id: string;
  name: string;
  slug: string;
  semanticSearchEnabled: boolean;
  createdAt: Date;
  trashedAt: Date | null;
  version: number;
  /** See `leftBy`. */
  changeId: string | null;
  /** The caller's role in the whole workspace; null if they see it as an administrator, or see only a part of it. */
  role: Role | null;
}

/** Every workspace of the tenant with the caller's role in it, and whether something in it was shared with them. */
function workspacesOf({ db, tenantId, actorId }: TenantTransaction) {
  const me = principalsOf(tenantId, actorId);
  return db
    .selectFrom("app.workspace as workspace")
    .select([
      "workspace.id",
      "workspace.name",
      "workspace.slug",
      "workspace.semantic_search_enabled as semanticSearchEnabled",
      "workspace.created_at as createdAt",
      "workspace.trashed_at as trashedAt",
      "workspace.version",
      "workspace.change_id as changeId",
      sql<Role | null>`(
        select entry.role from app.acl_entry as entry
        where entry.tenant_id = ${tenantId} and entry.scope_id = workspace.id and entry.principal_id = any(${me})
        order by array_position(array['owner', 'editor', 'viewer'], entry.role) limit 1)`.as("role"),
    ])
    .where("workspace.tenant_id", "=", tenantId);
}

/** "all", those in which the caller has an access entry, or these. */
export type VisibleWorkspaces = "all" | "shared" | readonly string[];

function isVisible({ tenantId, actorId }: TenantTransaction, visible: VisibleWorkspaces) {
  if (visible === "all") return sql<boolean>`true`;
  if (visible !== "shared") return sql<boolean>`workspace.id = any(${[...visible]}::uuid[])`;
  return sql<boolean>`workspace.id in (
    select scope.workspace_id
    from app.acl_entry as entry
    join app.acl_scope as scope on scope.tenant_id = entry.tenant_id and scope.id = entry.scope_id
    where entry.tenant_id = ${tenantId} and entry.principal_id = any(${principalsOf(tenantId, actorId)}))`;
}

export function listWorkspaces(
  transaction: TenantTransaction,
  options: {
    visible: VisibleWorkspaces;
    after?: { slug: string; id: string } | undefined;
    /** Only slugs that begin with it. */
    beginning: string;
    limit: number;
  },
): Promise<Workspace[]> {
  return workspacesOf(transaction)
    .where("workspace.trashed_at", "is", null)
    .where(isVisible(transaction, options.visible))
    .$if(options.after !== undefined, (query) =>
      query.where(
        sql<boolean>`(workspace.slug, workspace.id::text) > (${options.after?.slug}, ${options.after?.id})`,
      ),
    )
    .where(beginsWith(sql.ref("workspace.slug"), options.beginning))
    .orderBy("workspace.slug")
    .orderBy("workspace.id")
    .limit(options.limit)
    .execute();
}

export interface ScopedWorkspace extends Workspace {
  /** The caller's rights in it, by scope. Loaded together, because every command needs them next. */
  scopes: ScopeRow[];
}

function scopedWorkspacesOf(transaction: TenantTransaction) {
  const { tenantId, actorId } = transaction;
  const scopes = scopesOf(tenantId, actorId, sql.ref("workspace.id"));
  return workspacesOf(transaction).select(
    sql<ScopeRow[]>`(select coalesce(json_agg(scoped), '[]') from (${scopes}) as scoped)`.as("scopes"),
  );
}

export function findWorkspaceById(
  transaction: TenantTransaction,
  id: string,
): Promise<ScopedWorkspace | undefined> {
  return scopedWorkspacesOf(transaction).where("workspace.id", "=", id).executeTakeFirst();
}

export function findWorkspacesByName(
  transaction: TenantTransaction,
  text: string,
  visible: VisibleWorkspaces,
): Promise<ScopedWorkspace[]> {
  return scopedWorkspacesOf(transaction)
    .where("workspace.trashed_at", "is", null)
    .where(isVisible(transaction, visible))
    .where((where) => where.or([where("workspace.slug", "=", text), where("workspace.name", "=", text)]))
    .orderBy("workspace.slug")
    .orderBy("workspace.id")
    .execute();
}

export type Namesake = Pick<Workspace, "id" | "name" | "slug">;

/** These workspaces, and others with the same slugs, as far as the caller can see them: a query. */
export function namesakesOf(
  transaction: TenantTransaction,
  ids: readonly string[],
  visible: VisibleWorkspaces,
) {
  const { db, tenantId } = transaction;
  return (
    db
      .selectFrom("app.workspace as workspace")
      .select(["workspace.id", "workspace.name", "workspace.slug"])
      .where("workspace.tenant_id", "=", tenantId)
      .where("workspace.trashed_at", "is", null)
      // A hidden workspace with the same slug must not show.
      // guard: namesakes-are-visible
      .where(isVisible(transaction, visible))
      .where(
        sql<boolean>`workspace.slug in (
          select named.slug from app.workspace as named
          where named.tenant_id = ${tenantId} and named.id = any(${[...ids]}::uuid[]))`,
      )
  );
}

/** Until the transaction ends, nobody can add a file, folder or collection to it. */
export async function lockWorkspace({ db, tenantId }: TenantTransaction, id: string): Promise<void> {
  await sql`select from app.workspace where tenant_id = ${tenantId} and id = ${id} for update`.execute(db);
}

/** Callers who want the same slug take turns, so that each sees what the previous one created. */
export async function lockSlug({ db, tenantId }: TenantTransaction, slug: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`workspace ${tenantId} ${slug}`}, 0))`.execute(
    db,
  );
}

/** The creator becomes its owner. */
export async function insertWorkspace(
  { db, tenantId, actorId }: TenantTransaction,
  { name, slug }: { name: string; slug: string },
): Promise<Workspace> {
  const row = await db
    .insertInto("app.workspace")
    .values({ tenant_id: tenantId, name, slug })
    .returning([
      "id",
      "name",
      "slug",
      "semantic_search_enabled as semanticSearchEnabled",
      "created_at as createdAt",
      "trashed_at as trashedAt",
      "version",
      "change_id as changeId",
    ])
    .executeTakeFirstOrThrow();
  await db
    .insertInto("app.acl_scope")
    .values({ tenant_id: tenantId, id: row.id, workspace_id: row.id, anchor_id: row.id })
    .execute();
  await db
    .insertInto("app.acl_entry")
    .values({ tenant_id: tenantId, scope_id: row.id, principal_id: actorId, role: "owner" })
    .execute();
  return { ...row, role: "owner" };
}

/** False if the row has another version by now. */
export async function updateWorkspace(
  { db, tenantId }: TenantTransaction,
  { id, version }: { id: string; version: number },
  set: {
    name?: string;
    slug?: string;
    semanticSearchEnabled?: boolean;
    trashedAt?: Date | null;
    version?: number;
  } & LeftBy,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("app.workspace")
    .set({
      name: set.name,
      slug: set.slug,
      semantic_search_enabled: set.semanticSearchEnabled,
      trashed_at: set.trashedAt,
      version: set.version ?? version + 1,
      change_id: set.changeId,
    })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Whether the caller has a role in a workspace as a whole, directly or through a group. Guests have none. */
export async function isMemberSomewhere({ db, tenantId, actorId }: TenantTransaction): Promise<boolean> {
  const row = await db
    .selectFrom("app.workspace as workspace")
    .innerJoin("app.acl_entry as entry", (join) =>
      join.onRef("entry.tenant_id", "=", "workspace.tenant_id").onRef("entry.scope_id", "=", "workspace.id"),
    )
    .select("workspace.id")
    .where("workspace.tenant_id", "=", tenantId)
    .where("workspace.trashed_at", "is", null)
    .where(sql<boolean>`entry.principal_id = any(${principalsOf(tenantId, actorId)})`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** All of them, including trashed ones. */
export async function listWorkspaceIds(
  { db, tenantId }: TenantTransaction,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("app.workspace")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .$if(after !== undefined, (query) => query.where("id", ">", after ?? ""))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
