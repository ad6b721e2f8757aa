import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { accountDisabled } from "./account-disabled.ts";
import { agentOf, isAgentCredential } from "./agent-of.ts";
import type { Caller } from "./caller.ts";
import { readActor } from "./principal.ts";

export const idleMinutes = 15;

export interface Session {
  /** Of its credential. */
  id: string;
  memberName: string;
  personId: string;
  personName: string;
  workspaceId: string | null;
  commands: string[];
  openedAt: Date;
  expiresAt: Date;
  endsAt: Date;
  version: number;
}

/** Those that have not ended. */
function sessions({ db, tenantId, now }: TenantTransaction) {
  return (
    db
      .selectFrom("control.session as session")
      .innerJoin("control.credential as credential", "credential.id", "session.credential_id")
      .leftJoin("control.credential as opener", "opener.id", "session.opened_with")
      .innerJoin("app.principal as member", (join) =>
        join
          .onRef("member.tenant_id", "=", "session.tenant_id")
          .onRef("member.id", "=", "credential.principal_id"),
      )
      .innerJoin("app.principal as person", (join) =>
        join.onRef("person.tenant_id", "=", "session.tenant_id").onRef("person.id", "=", "session.person_id"),
      )
      .select([
        "credential.id",
        "member.name as memberName",
        "person.id as personId",
        "person.name as personName",
        "session.workspace_id as workspaceId",
        "session.commands",
        "credential.created_at as openedAt",
        sql<Date>`credential.expires_at`.as("expiresAt"),
        "session.ends_at as endsAt",
        "credential.version",
      ])
      .where("session.tenant_id", "=", tenantId)
      .where("credential.tenant_id", "=", tenantId)
      .where("session.ends_at", ">", now)
      .where("credential.revoked_at", "is", null)
      .where("credential.expires_at", ">", now)
      .where("member.disabled_at", "is", null)
      .where("person.disabled_at", "is", null)
      // It ends with the token that opened it.
      .where("opener.revoked_at", "is", null)
      .where(({ or, eb }) => or([eb("opener.expires_at", "is", null), eb("opener.expires_at", ">", now)]))
  );
}

export function listSessions(
  transaction: TenantTransaction,
  { person, before, limit }: { person?: string | undefined; before?: string | undefined; limit: number },
): Promise<Session[]> {
  return sessions(transaction)
    .$if(person !== undefined, (query) => query.where("session.person_id", "=", person ?? ""))
    .$if(before !== undefined, (query) => query.where("credential.id", "<", before ?? ""))
    .orderBy("credential.id", "desc")
    .limit(limit)
    .execute();
}

/** Callers take turns, so that a limit holds and nobody opens one while their account is being disabled. */
export async function countOpenSessions(transaction: TenantTransaction, person: string): Promise<number> {
  const { db } = transaction;
  await takeTurns(transaction, person);
  // guard: no-sessions-of-the-disabled
  if ((await readActor(transaction, person))?.isDisabled) throw accountDisabled();
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${sessions(transaction).where("session.person_id", "=", person)}) as open`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

function takeTurns({ db, tenantId }: TenantTransaction, person: string): Promise<unknown> {
  return sql`select pg_advisory_xact_lock(hashtextextended(${`sessions ${tenantId} ${person}`}, 0))`.execute(
    db,
  );
}

/**
 * Ends those that an account opened and those in which it works, and returns how many: once it is enabled again, they
 * would go on, with whatever was told to the agent before.
 */
export async function endSessionsOf(
  transaction: TenantTransaction,
  account: string,
  at: Date,
): Promise<number> {
  const { db, tenantId } = transaction;
  await takeTurns(transaction, account);
  const { numUpdatedRows } = await db
    .updateTable("control.credential")
    .set({ revoked_at: at, version: sql<number>`version + 1` })
    .where("tenant_id", "=", tenantId)
    .where("revoked_at", "is", null)
    .where(({ or, eb, selectFrom }) => {
      const ids = selectFrom("control.session").select("credential_id").where("tenant_id", "=", tenantId);
      return or([
        eb("id", "in", ids.where("person_id", "=", account)),
        eb("principal_id", "=", account).and("id", "in", ids),
      ]);
    })
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export function findSession(transaction: TenantTransaction, id: string): Promise<Session | undefined> {
  return sessions(transaction).where("credential.id", "=", id).forUpdate("credential").executeTakeFirst();
}

export async function insertSession(
  { db, tenantId }: TenantTransaction,
  session: {
    credentialId: string;
    ticketHash: Buffer;
    personId: string;
    openedWith: string | undefined;
    workspaceId: string | undefined;
    commands: readonly string[];
    endsAt: Date;
  },
): Promise<void> {
  await db
    .insertInto("control.session")
    .values({
      credential_id: session.credentialId,
      tenant_id: tenantId,
      ticket_hash: session.ticketHash,
      person_id: session.personId,
      opened_with: session.openedWith ?? null,
      workspace_id: session.workspaceId ?? null,
      commands: [...session.commands],
      ends_at: session.endsAt,
    })
    .execute();
}

/** Who asked for something with a credential, as they are now. Undefined if their session has ended. */
export async function readAsking(
  transaction: TenantTransaction,
  { actorId, credential }: { actorId: string; credential: string },
): Promise<Pick<Caller, "actor" | "commands"> | undefined> {
  const asking = await readActor(transaction, actorId);
  if (!asking) return undefined;
  if (isAgentCredential(credential)) return { actor: agentOf(asking.actor) };
  const { db, tenantId } = transaction;
  const session = await db
    .selectFrom("control.session")
    .select("credential_id")
    .where("tenant_id", "=", tenantId)
    .where("credential_id", "=", credential)
    .executeTakeFirst();
  if (!session) return { actor: asking.actor };
  const open = await findSession(transaction, session.credential_id);
  const person = open && (await readActor(transaction, open.personId));
  if (!person) return undefined;
  return {
    actor: {
      ...asking.actor,
      onBehalfOf: { ...person.actor, workspaceId: open.workspaceId ?? undefined },
    },
    ...(open.commands.length > 0 ? { commands: open.commands } : {}),
  };
}
