import type { Database, TenantTransaction } from "@svc/database/database";
import { isStorable } from "@svc/database/is-storable";
import type { JWTPayload } from "jose";
import { sql } from "kysely";
import type { Log } from "../process/log.ts";
import { looksLikeAddress } from "./account-name.ts";
import { nobody } from "./nobody.ts";

/** The claims of a verified token; the subject is ASCII. */
export type VerifiedClaims = JWTPayload & { sub: string };

interface Rule {
  tenant_id: string;
  workspace_id: string | null;
  workspace_role: string | null;
}

/**
 * Just-in-time membership: if a rule of the directory matches the verified claims, the person joins its tenant. True if
 * they are a member now; false if no rule admits them, or if the matching rule must not.
 */
export async function admit(
  database: Database,
  issuer: string,
  claims: VerifiedClaims,
  log: Log,
): Promise<boolean> {
  const rule = await findRule(database, issuer, claims);
  if (!rule) return false;
  const scope = { tenantId: rule.tenant_id, actorId: nobody };
  const refusal = await database.withTenant(scope, "write", (transaction) =>
    join(transaction, issuer, claims, rule),
  );
  if (refusal === undefined) return true;
  log.warn({ issuer, subject: claims.sub, tenant: rule.tenant_id, refusal }, "refused to admit a person");
  return false;
}

async function findRule(database: Database, issuer: string, claims: JWTPayload): Promise<Rule | undefined> {
  const texts = JSON.stringify(admissionClaims(claims));
  return database.withDirectory(async (db) => {
    const { rows } =
      await sql<Rule>`select * from control.find_admission(${issuer}, ${texts}::jsonb)`.execute(db);
    return rows[0];
  });
}

/** Returns why somebody cannot join; in that case nothing was written. */
async function join(
  transaction: TenantTransaction,
  issuer: string,
  claims: VerifiedClaims,
  rule: Rule,
): Promise<string | undefined> {
  const { db, tenantId } = transaction;
  const email = verifiedEmail(claims) ?? null;
  const invited = email === null ? undefined : await findByEmail(transaction, issuer, email);
  if (invited?.subject === claims.sub) return undefined;
  if (invited && (invited.kind !== "user" || invited.disabled_at !== null)) {
    return "the address belongs to an account that nobody can sign in to";
  }
  // An address can change hands, a subject cannot: the new owner of an address does not become the old one.
  if (invited && invited.subject !== null) return "the address belongs to another subject of this provider";

  const id = invited?.id ?? (await newId(transaction));
  // Waits for another request of the same person, and then adds nobody. The subject may also exist in a tenant that is
  // not visible here.
  const identity = await db
    .insertInto("control.identity")
    .values({ tenant_id: tenantId, issuer, subject: claims.sub, principal_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (identity.numInsertedOrUpdatedRows !== 1n) return undefined;
  if (!invited) {
    await db
      .insertInto("app.principal")
      .values({ tenant_id: tenantId, id, kind: "user", name: shownName(claims, email), email })
      .execute();
  }
  if (rule.workspace_id !== null && rule.workspace_role !== null) {
    await addMember(transaction, rule.workspace_id, id, rule.workspace_role);
  }
  return undefined;
}

/** A person who was invited by address already has a user. Requests with the same address take turns. */
async function findByEmail({ db, tenantId }: TenantTransaction, issuer: string, email: string) {
  const folded = email.toLowerCase();
  await sql`select pg_advisory_xact_lock(hashtext(${`${tenantId} ${folded}`}))`.execute(db);
  return db
    .selectFrom("app.principal as principal")
    .leftJoin("control.identity as identity", (on) =>
      on
        .onRef("identity.tenant_id", "=", "principal.tenant_id")
        .onRef("identity.principal_id", "=", "principal.id")
        .on("identity.issuer", "=", issuer),
    )
    .select(["principal.id", "principal.kind", "principal.disabled_at", "identity.subject"])
    .where("principal.tenant_id", "=", tenantId)
    .where(sql<string>`lower(principal.email)`, "=", folded)
    .executeTakeFirst();
}

async function newId({ db }: TenantTransaction): Promise<string> {
  const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(db);
  if (!rows[0]) throw new Error("a select without a table returned nothing");
  return rows[0].id;
}

/** Nothing if the workspace is gone: a stale rule keeps nobody out. */
async function addMember(
  { db, tenantId }: TenantTransaction,
  workspaceId: string,
  principalId: string,
  role: string,
): Promise<void> {
  await sql`
    insert into app.acl_entry (tenant_id, scope_id, principal_id, role)
    select tenant_id, id, ${principalId}, ${role}
    from app.workspace
    where tenant_id = ${tenantId} and id = ${workspaceId} and trashed_at is null
    on conflict do nothing`.execute(db);
}

/** Only text claims count; an address counts as its domain. */
function admissionClaims(claims: JWTPayload): Record<string, string> {
  const { email: _, ...rest } = claims;
  const texts = Object.entries(rest).filter(
    (entry): entry is [string, string] => isStorable(entry[0]) && isStorable(entry[1]),
  );
  const domain = verifiedEmail(claims)?.split("@").at(-1)?.toLowerCase();
  return { ...Object.fromEntries(texts), ...(domain === undefined ? {} : { email: domain }) };
}

/** ASCII only: case folding maps other characters to it (the Kelvin sign to k), and so one address to another. */
function verifiedEmail({ email, email_verified: verified }: JWTPayload): string | undefined {
  if (verified !== true || typeof email !== "string") return undefined;
  return /^[!-?A-~]{1,200}@[!-?A-~]{1,200}$/.test(email) ? email : undefined;
}

function shownName({ name, sub }: VerifiedClaims, email: string | null): string {
  const shown = typeof name === "string" ? name.replace(/[\p{Control}\p{Surrogate}]/gu, "").trim() : "";
  if (shown !== "" && !looksLikeAddress(shown)) return shown.slice(0, 200);
  return email ?? sub.replaceAll("@", " at ");
}
