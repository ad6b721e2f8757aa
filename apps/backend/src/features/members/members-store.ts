import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { beginsWith } from "../../platform/completions/prefix-range.ts";
import type { Principal, PrincipalKind, Role } from "../access/access.ts";

export interface Member extends Principal {
  role: Role;
  isDisabled: boolean;
  since: Date;
}

export function listMembers(
  { db, tenantId }: TenantTransaction,
  workspaceId: string,
  {
    after,
    limit,
    beginning = "",
  }: {
    after?: string | undefined;
    /** Only names and addresses that begin with it. */
    beginning?: string;
    limit: number;
  },
): Promise<Member[]> {
  return db
    .selectFrom("app.acl_entry as membership")
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
      sql<Role>`membership.role`.as("role"),
      sql<boolean>`principal.disabled_at is not null`.as("isDisabled"),
      "membership.created_at as since",
    ])
    .where("membership.tenant_id", "=", tenantId)
    .where("membership.scope_id", "=", workspaceId)
    .$if(after !== undefined, (query) => query.where("membership.principal_id", ">", after ?? ""))
    .where(({ or }) =>
      or([
        beginsWith(sql.ref("principal.name"), beginning),
        beginsWith(sql.ref("principal.email"), beginning),
      ]),
    )
    .orderBy("membership.principal_id")
    .limit(limit)
    .execute();
}
