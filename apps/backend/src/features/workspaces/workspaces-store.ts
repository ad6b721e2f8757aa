import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

export type WorkspaceRole = "owner" | "editor" | "viewer";

export interface Workspace {
  id: string;
  name: string;
  slug: string;
  semanticSearchEnabled: boolean;
  createdAt: Date;
  trashedAt: Date | null;
  version: number;
  /** Of the caller; null where only an administrator's sight shows it. */
  role: WorkspaceRole | null;
}

/** Every workspace of the tenant with the caller's role in it, if any. */
function workspacesOf({ db, tenantId, actorId }: TenantTransaction) {
  return db
    .selectFrom("app.workspace as workspace")
    .leftJoin("app.membership as membership", (join) =>
      join
        .onRef("membership.tenant_id", "=", "workspace.tenant_id")
        .onRef("membership.workspace_id", "=", "workspace.id")
        .on("membership.principal_id", "=", actorId),
    )
    .select([
      "workspace.id",
      "workspace.name",
      "workspace.slug",
      "workspace.semantic_search_enabled as semanticSearchEnabled",
      "workspace.created_at as createdAt",
      "workspace.trashed_at as trashedAt",
      "workspace.version",
      sql<WorkspaceRole | null>`membership.role`.as("role"),
    ])
    .where("workspace.tenant_id", "=", tenantId);
}

export function listWorkspaces(
  transaction: TenantTransaction,
  options: { seesAll: boolean; after?: string; limit: number },
): Promise<Workspace[]> {
  return workspacesOf(transaction)
    .where("workspace.trashed_at", "is", null)
    .$if(!options.seesAll, (query) => query.where("membership.role", "is not", null))
    .$if(options.after !== undefined, (query) => query.where("workspace.slug", ">", options.after ?? ""))
    .orderBy("workspace.slug")
    .limit(options.limit)
    .execute();
}

export function findWorkspaceById(
  transaction: TenantTransaction,
  id: string,
): Promise<Workspace | undefined> {
  return workspacesOf(transaction).where("workspace.id", "=", id).executeTakeFirst();
}

/** By slug first; a name that several workspaces share finds the one whose slug comes first. */
export function findWorkspaceByName(
  transaction: TenantTransaction,
  text: string,
): Promise<Workspace | undefined> {
  return workspacesOf(transaction)
    .where("workspace.trashed_at", "is", null)
    .where((where) => where.or([where("workspace.slug", "=", text), where("workspace.name", "=", text)]))
    .orderBy((order) => order("workspace.slug", "!=", text))
    .orderBy("workspace.slug")
    .executeTakeFirst();
}

/** Undefined where the slug is taken. The creator becomes its owner. */
export async function insertWorkspace(
  { db, tenantId, actorId }: TenantTransaction,
  { name, slug }: { name: string; slug: string },
): Promise<Workspace | undefined> {
  const row = await db
    .insertInto("app.workspace")
    .values({ tenant_id: tenantId, name, slug })
    .onConflict((conflict) =>
      conflict.columns(["tenant_id", "slug"]).where("trashed_at", "is", null).doNothing(),
    )
    .returning([
      "id",
      "name",
      "slug",
      "semantic_search_enabled as semanticSearchEnabled",
      "created_at as createdAt",
      "trashed_at as trashedAt",
      "version",
    ])
    .executeTakeFirst();
  if (!row) return undefined;
  await db
    .insertInto("app.membership")
    .values({ tenant_id: tenantId, workspace_id: row.id, principal_id: actorId, role: "owner" })
    .execute();
  return { ...row, role: "owner" };
}

/** False where the row is no longer of that version, or another workspace has the slug. */
export async function updateWorkspace(
  { db, tenantId }: TenantTransaction,
  { id, version }: { id: string; version: number },
  set: { name?: string; slug?: string; trashedAt?: Date | null },
): Promise<boolean> {
  const { slug } = set;
  const { numUpdatedRows } = await db
    .updateTable("app.workspace")
    .set({
      ...(set.name === undefined ? {} : { name: set.name }),
      ...(slug === undefined ? {} : { slug }),
      ...(set.trashedAt === undefined ? {} : { trashed_at: set.trashedAt }),
      version: version + 1,
    })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .where("version", "=", version)
    .$if(slug !== undefined, (query) =>
      query.where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("app.workspace as other")
              .select("other.id")
              .where("other.tenant_id", "=", tenantId)
              .where("other.slug", "=", slug ?? "")
              .where("other.trashed_at", "is", null)
              .where("other.id", "!=", id),
          ),
        ),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
