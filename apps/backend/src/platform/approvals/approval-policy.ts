import type { CommandFacts } from "@svc/command-router/catalog";
import { isAmong, leftToPeople } from "@svc/command-router/require-may-run";
import type { TenantTransaction } from "@svc/database/database";

/** Whether administrators demand a person for one of these commands. They can only demand more than the gate does. */
export async function demandsPerson(
  { db, tenantId }: TenantTransaction,
  commands: readonly Pick<CommandFacts, "path" | "specs">[],
): Promise<boolean> {
  const row = await db
    .selectFrom("app.tenant_setting")
    .select("approvals_for")
    .where("tenant_id", "=", tenantId)
    .executeTakeFirst();
  const demanded = commands.filter(({ path }) => isAmong(path, row?.approvals_for ?? []));
  const unreadable = demanded.find(({ specs }) => specs.some(({ localFile, secret }) => localFile || secret));
  // Nobody can approve what they cannot read.
  if (unreadable) throw leftToPeople(unreadable.path);
  return demanded.length > 0;
}
