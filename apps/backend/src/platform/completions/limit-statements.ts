import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

/** From now on in this transaction. A slow statement is cancelled; unlike `transaction_timeout`, that keeps the connection. */
export async function limitStatements({ db }: TenantTransaction, millis: number): Promise<void> {
  await sql`select set_config('statement_timeout', ${String(millis)}, true)`.execute(db);
}
