import type { TenantTransaction } from "@svc/database/database";
import { type RawBuilder, sql } from "kysely";
import { isNamed } from "./is-named.ts";

export type PrincipalKind = "user" | "service" | "ai" | "group";

export interface Principal {
  id: string;
  kind: PrincipalKind;
  name: string;
  email: string | null;
}

export function findPrincipals(
  { db, tenantId }: TenantTransaction,
  match: { id: string } | { text: string },
  /** A condition on `principal`: all others do not exist for the caller. */
  isVisible: RawBuilder<boolean>,
) {
  return db
    .selectFrom("app.principal as principal")
    .select(["id", sql<PrincipalKind>`kind`.as("kind"), "name", "email"])
    .where("tenant_id", "=", tenantId)
    .where("disabled_at", "is", null)
    .where(isVisible)
    .where(isNamed(match))
    .orderBy("id")
    .limit(2)
    .execute();
}
