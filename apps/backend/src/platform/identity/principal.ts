import type { ActorKind } from "@svc/command-router/command";
import type { Database, TenantTransaction } from "@svc/database/database";
import type { Caller } from "./caller.ts";

const actorKinds: Record<string, ActorKind> = { user: "human", service: "service", ai: "ai" };

interface LoadedActor {
  actor: Caller["actor"];
  isDisabled: boolean;
}

/** The actor behind a credential, and whether the account is disabled. A group never acts. */
export async function loadActor(
  database: Database,
  tenantId: string,
  principalId: string,
): Promise<LoadedActor | undefined> {
  return database.withTenant({ tenantId, actorId: principalId }, "read", (transaction) =>
    readActor(transaction, principalId),
  );
}

export async function readActor(
  { db, tenantId }: TenantTransaction,
  principalId: string,
): Promise<LoadedActor | undefined> {
  const row = await db
    .selectFrom("app.principal")
    .select(["id", "kind", "name", "email", "is_administrator", "disabled_at"])
    .where("tenant_id", "=", tenantId)
    .where("id", "=", principalId)
    .executeTakeFirst();
  const kind = row && actorKinds[row.kind];
  if (!row || !kind) return undefined;
  const actor = {
    id: row.id,
    kind,
    name: row.name,
    email: row.email ?? undefined,
    isAdministrator: row.is_administrator && kind !== "ai",
  };
  return { actor, isDisabled: row.disabled_at !== null };
}
