import type { Database, TenantTransaction } from "@svc/database/database";
import { writePlace } from "@svc/search/index/places";
import { sql } from "kysely";
import { nobody } from "../../platform/identity/nobody.ts";

export interface DemoTenant {
  id: string;
  name: string;
  visitorsGroupId: string;
}

interface StoredVisitor {
  id: string;
  workspaceId: string;
  files: number;
  expiresAt: Date;
}

/** The tenant that an operator marked as the demo. */
export async function findDemo(database: Database): Promise<DemoTenant | undefined> {
  const marked = await database.withDirectory(async (db) => {
    const { rows } = await sql<{ tenant_id: string; visitors_group_id: string }>`
      select * from app.find_demo()`.execute(db);
    return rows[0];
  });
  if (!marked) return undefined;
  const { tenant_id: id, visitors_group_id: visitorsGroupId } = marked;
  const tenant = await database.withTenant({ tenantId: id, actorId: nobody }, "read", ({ db }) =>
    db
      .selectFrom("control.tenant")
      .select("name")
      .where("tenant_id", "=", id)
      .where("disabled_at", "is", null)
      .executeTakeFirst(),
  );
  return tenant && { id, name: tenant.name, visitorsGroupId };
}

export async function findVisitor(
  { db, tenantId }: TenantTransaction,
  secretHash: Buffer,
): Promise<StoredVisitor | undefined> {
  // guard: visits-end
  const { rows } = await sql<StoredVisitor>`
    select id, workspace_id as "workspaceId", files, expires_at as "expiresAt" from app.demo_visitor
    where tenant_id = ${tenantId} and secret_hash = ${secretHash} and expires_at > now()`.execute(db);
  return rows[0];
}

/** Undefined if there are as many as there may be; those that expired count until they are removed. */
export async function insertVisitor(
  transaction: TenantTransaction,
  visitor: { groupId: string; secretHash: Buffer; expiresAt: Date; most: number },
): Promise<StoredVisitor | undefined> {
  const { db, tenantId } = transaction;
  // Visitors that come at the same time take turns.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`demo ${tenantId}`}, 0))`.execute(db);
  const { rows: counted } = await sql<{ visitors: number }>`
    select count(*)::int as visitors from app.demo_visitor where tenant_id = ${tenantId}`.execute(db);
  // guard: demo-visitors-in-all
  if ((counted[0]?.visitors ?? 0) >= visitor.most) return undefined;
  const { id } = await db
    .insertInto("app.principal")
    .values({ tenant_id: tenantId, kind: "user", name: "Visitor" })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("app.group_member")
    .values({ tenant_id: tenantId, group_id: visitor.groupId, principal_id: id })
    .execute();
  const workspaceId = await insertOwnWorkspace(transaction, id);
  await db
    .insertInto("app.demo_visitor")
    .values({
      tenant_id: tenantId,
      id,
      secret_hash: visitor.secretHash,
      workspace_id: workspaceId,
      expires_at: visitor.expiresAt,
    })
    .execute();
  return { id, workspaceId, files: 0, expiresAt: visitor.expiresAt };
}

/** Its list names the visitor alone. Nobody finds the workspace itself, only what is put into it. */
async function insertOwnWorkspace(transaction: TenantTransaction, visitorId: string): Promise<string> {
  const { db, tenantId } = transaction;
  const { id } = await db
    .insertInto("app.workspace")
    .values({ tenant_id: tenantId, name: "Your files", slug: "your-files" })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("app.acl_scope")
    .values({ tenant_id: tenantId, id, workspace_id: id, anchor_id: id })
    .execute();
  await db
    .insertInto("app.acl_entry")
    .values({ tenant_id: tenantId, scope_id: id, principal_id: visitorId, role: "editor" })
    .execute();
  await writePlace(transaction, { id, workspaceId: id, parentId: null, scopeId: id, isHidden: false });
  return id;
}

/** False if the visitor has all of them, or is gone. */
export async function takeFile({ db, tenantId, actorId }: TenantTransaction, most: number): Promise<boolean> {
  // guard: five-files
  const { numUpdatedRows } = await db
    .updateTable("app.demo_visitor")
    .set({ files: sql`files + 1` })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", actorId)
    .where("files", "<", most)
    .where(sql<boolean>`expires_at > now()`)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function giveBackFile({ db, tenantId, actorId }: TenantTransaction): Promise<void> {
  await db
    .updateTable("app.demo_visitor")
    .set({ files: sql`files - 1` })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", actorId)
    .where("files", ">", 0)
    .execute();
}
