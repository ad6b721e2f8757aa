import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { type Account, accountsOf } from "../members/members.ts";

export function listAdministrators(
  transaction: TenantTransaction,
  { after, limit }: { after?: string | undefined; limit: number },
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
