import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { isNamed } from "../access/access.ts";

/** Somebody who can sign in or hold tokens, disabled or not. A group is not an account. */
export interface Account {
  id: string;
  kind: "user" | "service" | "ai";
  name: string;
  email: string | null;
  isAdministrator: boolean;
  isDisabled: boolean;
  version: number;
}

/** The accounts of the tenant, in the order of their ids. */
export function accountsOf({ db, tenantId }: TenantTransaction) {
  return db
    .selectFrom("app.principal")
    .select([
      "id",
      sql<Account["kind"]>`kind`.as("kind"),
      "name",
      "email",
      "is_administrator as isAdministrator",
      sql<boolean>`disabled_at is not null`.as("isDisabled"),
      "version",
    ])
    .where("tenant_id", "=", tenantId)
    .where("kind", "in", ["user", "service", "ai"])
    .orderBy("id");
}

/** Locked until the transaction ends, so that nobody else changes them. */
export function findAccounts(
  transaction: TenantTransaction,
  match: { id: string } | { text: string },
): Promise<Account[]> {
  return accountsOf(transaction).where(isNamed(match)).limit(2).forNoKeyUpdate().execute();
}

export async function setAccountDisabled(
  { db, tenantId }: TenantTransaction,
  id: string,
  at: Date | null,
): Promise<void> {
  await db
    .updateTable("app.principal")
    .set({ disabled_at: at, version: sql<number>`version + 1` })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .execute();
}
