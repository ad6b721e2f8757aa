import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import type { WorkspaceRole } from "../workspaces/workspaces.ts";

export type PrincipalKind = "user" | "service" | "ai" | "group";

export interface Principal {
  id: string;
  kind: PrincipalKind;
  name: string;
  email: string | null;
}

export interface Member extends Principal {
  role: WorkspaceRole;
  since: Date;
}

export function listMembers(
  { db, tenantId }: TenantTransaction,
  workspaceId: string,
  { after, limit }: { after?: string; limit: number },
): Promise<Member[]> {
  return db
    .selectFrom("app.membership as membership")
    .innerJoin("app.principal as principal", (join) =>
      join
        .onRef("principal.tenant_id", "=", "membership.tenant_id")
        .onRef("principal.id", "=", "membership.principal_id"),
    )
    .select([
      "principal.id",
      sql<PrincipalKind>`principal.kind`.as("kind"),
      "principal.name",
      "principal.email",
      sql<WorkspaceRole>`membership.role`.as("role"),
      "membership.created_at as since",
    ])
    .where("membership.tenant_id", "=", tenantId)
    .where("membership.workspace_id", "=", workspaceId)
    .$if(after !== undefined, (query) => query.where("membership.principal_id", ">", after ?? ""))
    .orderBy("membership.principal_id")
    .limit(limit)
    .execute();
}

export async function findRole(
  { db, tenantId }: TenantTransaction,
  workspaceId: string,
  principalId: string,
): Promise<WorkspaceRole | undefined> {
  const row = await db
    .selectFrom("app.membership")
    .select("role")
    .where("tenant_id", "=", tenantId)
    .where("workspace_id", "=", workspaceId)
    .where("principal_id", "=", principalId)
    .forUpdate()
    .executeTakeFirst();
  return row?.role as WorkspaceRole | undefined;
}

export async function countOwners({ db, tenantId }: TenantTransaction, workspaceId: string): Promise<number> {
  // Locked, so that two owners who remove each other at once do not leave none.
  const rows = await db
    .selectFrom("app.membership")
    .select("principal_id")
    .where("tenant_id", "=", tenantId)
    .where("workspace_id", "=", workspaceId)
    .where("role", "=", "owner")
    .orderBy("principal_id")
    .forUpdate()
    .execute();
  return rows.length;
}

export async function putMember(
  { db, tenantId }: TenantTransaction,
  workspaceId: string,
  principalId: string,
  role: WorkspaceRole,
): Promise<void> {
  await db
    .insertInto("app.membership")
    .values({ tenant_id: tenantId, workspace_id: workspaceId, principal_id: principalId, role })
    .onConflict((conflict) =>
      conflict.columns(["tenant_id", "workspace_id", "principal_id"]).doUpdateSet({ role }),
    )
    .execute();
}

export async function deleteMember(
  { db, tenantId }: TenantTransaction,
  workspaceId: string,
  principalId: string,
): Promise<void> {
  await db
    .deleteFrom("app.membership")
    .where("tenant_id", "=", tenantId)
    .where("workspace_id", "=", workspaceId)
    .where("principal_id", "=", principalId)
    .execute();
}

export function findPrincipals(
  { db, tenantId }: TenantTransaction,
  match: { id: string } | { text: string },
) {
  return db
    .selectFrom("app.principal")
    .select(["id", sql<PrincipalKind>`kind`.as("kind"), "name", "email"])
    .where("tenant_id", "=", tenantId)
    .where("disabled_at", "is", null)
    .where((where) =>
      "id" in match
        ? where("id", "=", match.id)
        : where.or([where(sql`lower(email)`, "=", match.text.toLowerCase()), where("name", "=", match.text)]),
    )
    .orderBy("id")
    .limit(2)
    .execute();
}
