import type { TenantTransaction } from "@svc/database/database";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { notAdministrator, requireAdministrator } from "../../platform/commands/require-administrator.ts";

/**
 * For commands that take the right away: one at a time, and not by a caller who lost it while waiting. Of two administrators
 * who remove each other at once, one remains.
 */
export async function holdAdministrators(context: CommandContext): Promise<readonly string[]> {
  requireAdministrator(context);
  const administrators = await holdActiveAdministrators(context.transaction);
  if (!administrators.includes(context.actor.id)) throw notAdministrator();
  return administrators;
}

/**
 * Administrators who can act, locked until the transaction ends: the next caller who changes them waits, and then sees
 * who is left. Always in the same order, so that two never wait for each other.
 */
async function holdActiveAdministrators({ db, tenantId }: TenantTransaction): Promise<string[]> {
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
