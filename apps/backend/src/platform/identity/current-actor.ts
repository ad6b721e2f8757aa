import type { Database, TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { accountDisabled } from "./account-disabled.ts";
import type { Caller } from "./caller.ts";
import { readActor } from "./principal.ts";

/**
 * The actor as this transaction sees it. Credentials are remembered for some seconds; rights are not: a disabled account and
 * a former administrator are stopped at the next transaction, on every process.
 */
export async function currentActor(
  transaction: TenantTransaction,
  actor: Caller["actor"],
): Promise<Caller["actor"] & { approvalsWait: boolean }> {
  const { db, tenantId, now } = transaction;
  const row = await db
    .selectFrom("app.principal")
    .select(["is_administrator", "disabled_at"])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("app.approval")
          .select("app.approval.id")
          .where("app.approval.tenant_id", "=", tenantId)
          // A constant, so that every plan can use the index of what waits.
          .where("app.approval.state", "=", sql.lit("pending"))
          .where("app.approval.expires_at", ">", now),
      ).as("approvalsWait"),
    )
    .where("tenant_id", "=", tenantId)
    .where("id", "=", actor.id)
    .executeTakeFirst();
  if (!row || row.disabled_at !== null) throw accountDisabled();
  const onBehalfOf = actor.onBehalfOf && (await currentPerson(transaction, actor.onBehalfOf));
  // The database refuses an AI administrator too: two locks on one door.
  const isAdministrator = row.is_administrator && actor.kind !== "ai";
  return {
    ...actor,
    ...(onBehalfOf && { onBehalfOf }),
    isAdministrator,
    approvalsWait: Boolean(row.approvalsWait),
  };
}

/** A session ends with the account of its person. */
async function currentPerson(
  transaction: TenantTransaction,
  onBehalfOf: NonNullable<Caller["actor"]["onBehalfOf"]>,
): Promise<typeof onBehalfOf> {
  const person = await readActor(transaction, onBehalfOf.id);
  if (!person || person.isDisabled) throw accountDisabled();
  return { ...onBehalfOf, isAdministrator: person.actor.isAdministrator };
}

/** For callers that need no other transaction. */
export async function requireActive(database: Database, { tenant, actor }: Caller): Promise<void> {
  await database.withTenant({ tenantId: tenant.id, actorId: actor.id }, "read", (transaction) =>
    currentActor(transaction, actor),
  );
}
