import type { ActorKind } from "@svc/command-router/command";
import type { Database } from "@svc/database/database";
import type { Caller } from "./caller.ts";

const actorKinds: Record<string, ActorKind> = { user: "human", service: "service", ai: "ai" };

/** The actor behind a credential, or undefined where he is gone or disabled. A group never acts. */
export async function loadActor(
  database: Database,
  tenantId: string,
  principalId: string,
): Promise<Caller["actor"] | undefined> {
  const row = await database.withTenant({ tenantId, actorId: principalId }, "read", ({ db }) =>
    db
      .selectFrom("app.principal")
      .select(["id", "kind", "name", "email", "is_administrator"])
      .where("tenant_id", "=", tenantId)
      .where("id", "=", principalId)
      .where("disabled_at", "is", null)
      .executeTakeFirst(),
  );
  const kind = row && actorKinds[row.kind];
  if (!row || !kind) return undefined;
  return {
    id: row.id,
    kind,
    name: row.name,
    ...(row.email === null ? {} : { email: row.email }),
    // The database refuses an AI administrator as well: two locks on one door.
    isAdministrator: row.is_administrator && kind !== "ai",
  };
}
