import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { beginsWith } from "../../platform/completions/prefix-range.ts";

export interface Credential {
  id: string;
  name: string;
  accountId: string;
  accountKind: "user" | "service" | "ai";
  scopes: string[];
  allowedNetworks: string[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  version: number;
}

/**
 * Credentials live in the directory, accounts in the tenant's cell. While both are one database, one transaction covers
 * them; when they are separated, the writes in this file become an outbox (docs/adr/0007).
 */
function credentialsOf({ db, tenantId }: TenantTransaction) {
  return (
    db
      .selectFrom("control.credential as credential")
      .innerJoin("app.principal as principal", (join) =>
        join
          .onRef("principal.tenant_id", "=", "credential.tenant_id")
          .onRef("principal.id", "=", "credential.principal_id"),
      )
      .select([
        "credential.id",
        "credential.name",
        "credential.principal_id as accountId",
        sql<Credential["accountKind"]>`principal.kind`.as("accountKind"),
        "credential.scopes",
        sql<string[]>`credential.allowed_networks::text[]`.as("allowedNetworks"),
        "credential.created_at as createdAt",
        "credential.expires_at as expiresAt",
        "credential.last_used_at as lastUsedAt",
        "credential.revoked_at as revokedAt",
        "credential.version",
      ])
      .where("credential.tenant_id", "=", tenantId)
      // Sessions have their own list.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("control.session")
              .select("credential_id")
              .whereRef("credential_id", "=", "credential.id"),
          ),
        ),
      )
  );
}

export function listCredentials(
  transaction: TenantTransaction,
  {
    account,
    after,
    beginning = "",
    limit,
  }: {
    account?: string | undefined;
    after?: string | undefined;
    /** Only names that begin with it. */
    beginning?: string;
    limit: number;
  },
): Promise<Credential[]> {
  return credentialsOf(transaction)
    .where("credential.revoked_at", "is", null)
    .$if(account !== undefined, (query) => query.where("credential.principal_id", "=", account ?? ""))
    .$if(after !== undefined, (query) => query.where("credential.id", ">", after ?? ""))
    .where(beginsWith(sql.ref("credential.name"), beginning))
    .orderBy("credential.id")
    .limit(limit)
    .execute();
}

export function findCredentials(
  transaction: TenantTransaction,
  match: { id: string } | { name: string },
): Promise<Credential[]> {
  return credentialsOf(transaction)
    .where("credential.revoked_at", "is", null)
    .where((where) =>
      "id" in match ? where("credential.id", "=", match.id) : where("credential.name", "=", match.name),
    )
    .orderBy("credential.id")
    .limit(2)
    .forUpdate("credential")
    .execute();
}

export async function insertAccount(
  { db, tenantId }: TenantTransaction,
  account: { kind: "service" | "ai"; name: string; isAdministrator: boolean },
): Promise<string> {
  const { id } = await db
    .insertInto("app.principal")
    .values({
      tenant_id: tenantId,
      kind: account.kind,
      name: account.name,
      is_administrator: account.isAdministrator,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function insertCredential(
  { db, tenantId }: TenantTransaction,
  credential: {
    accountId: string;
    name: string;
    secretHash: Buffer;
    scopes: readonly string[];
    allowedNetworks: readonly string[];
    expiresAt: Date | null;
    defaultWorkspaceId?: string | undefined;
  },
): Promise<Pick<Credential, "id" | "createdAt" | "allowedNetworks">> {
  return db
    .insertInto("control.credential")
    .values({
      tenant_id: tenantId,
      principal_id: credential.accountId,
      name: credential.name,
      secret_hash: credential.secretHash,
      scopes: [...credential.scopes],
      allowed_networks: sql<
        string[]
      >`(select coalesce(array_agg(network(address::inet)), array[]::cidr[]) from unnest(${[...credential.allowedNetworks]}::text[]) as address)`,
      expires_at: credential.expiresAt,
      default_workspace_id: credential.defaultWorkspaceId ?? null,
    })
    .returning([
      "id",
      "created_at as createdAt",
      sql<string[]>`allowed_networks::text[]`.as("allowedNetworks"),
    ])
    .executeTakeFirstOrThrow();
}

export async function rotateCredential(
  { db, tenantId }: TenantTransaction,
  id: string,
  { secretHash, previousExpiresAt }: { secretHash: Buffer; previousExpiresAt: Date },
): Promise<void> {
  await db
    .updateTable("control.credential")
    .set((row) => ({
      previous_secret_hash: row.ref("secret_hash"),
      previous_secret_expires_at: previousExpiresAt,
      secret_hash: secretHash,
      version: sql<number>`version + 1`,
    }))
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .execute();
}

export async function revokeCredential(
  { db, tenantId }: TenantTransaction,
  id: string,
  at: Date,
): Promise<void> {
  await db
    .updateTable("control.credential")
    .set({ revoked_at: at, version: sql<number>`version + 1` })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .execute();
}
