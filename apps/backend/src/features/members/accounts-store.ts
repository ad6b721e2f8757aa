import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

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

/** Held until the transaction ends, so that nobody else changes them meanwhile. */
export function findAccounts(
  { db, tenantId }: TenantTransaction,
  match: { id: string } | { text: string },
): Promise<Account[]> {
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
    .where((where) =>
      "id" in match
        ? where("id", "=", match.id)
        : // A name never stands in for an address: an identity provider lets people choose their names.
          match.text.includes("@")
          ? where(sql`lower(email)`, "=", match.text.toLowerCase())
          : where("name", "=", match.text),
    )
    .orderBy("id")
    .limit(2)
    .forNoKeyUpdate()
    .execute();
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
