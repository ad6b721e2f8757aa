import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { type Account, accountsOf } from "../members/members.ts";

/**
 * Administrators who can act, locked until the transaction ends: the next caller who changes them waits, and then sees
 * who is left. Always in the same order, so that two never wait for each other.
 */
export async function holdActiveAdministrators({ db, tenantId }: TenantTransaction): Promise<string[]> {
  const rows = await db
    .selectFrom("app.principal")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("is_administrator", "=", true)
    .where("disabled_at", "is", null)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

export function listAdministrators(
  transaction: TenantTransaction,
  { after, limit }: { after?: string; limit: number },
): Promise<Account[]> {
  return accountsOf(transaction)
    .where("is_administrator", "=", true)
    .$if(after !== undefined, (query) => query.where("id", ">", after ?? ""))
    .limit(limit)
    .execute();
}

export async function setAdministrator(
  { db, tenantId }: TenantTransaction,
  id: string,
  isAdministrator: boolean,
): Promise<void> {
  await db
    .updateTable("app.principal")
    .set({ is_administrator: isAdministrator, version: sql<number>`version + 1` })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .execute();
}
