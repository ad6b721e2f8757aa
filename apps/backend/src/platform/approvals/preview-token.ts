import { createHash, randomBytes } from "node:crypto";
import type { TenantTransaction } from "@svc/database/database";

const validFor = 15 * 60 * 1_000;

/**
 * A token that commits what one preview showed, once. It is bound to the actor, to the credential that it was `madeWith`,
 * and to the preview's fingerprint.
 */
export async function issuePreviewToken(
  { db, tenantId, actorId, now }: TenantTransaction,
  fingerprint: string,
  madeWith: string,
): Promise<string> {
  const token = `preview_${randomBytes(18).toString("base64url")}`;
  await db
    .insertInto("app.preview")
    .values({
      tenant_id: tenantId,
      token_hash: hashToken(token),
      actor_id: actorId,
      made_with: madeWith,
      fingerprint,
      expires_at: new Date(now.getTime() + validFor),
    })
    .execute();
  return token;
}

/** Its fingerprint, if this actor can still use it. */
export async function findPreview(
  { db, tenantId, actorId, now }: TenantTransaction,
  token: string,
  madeWith: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("app.preview")
    .select("fingerprint")
    .where("tenant_id", "=", tenantId)
    .where("token_hash", "=", hashToken(token))
    .where("actor_id", "=", actorId)
    .where("made_with", "=", madeWith)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row?.fingerprint;
}

/** Deleted in the transaction that uses it, so a second use finds nothing. */
export async function takePreviewToken(
  { db, tenantId, actorId, now }: TenantTransaction,
  token: string,
  madeWith: string,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom("app.preview")
    .where("tenant_id", "=", tenantId)
    .where("token_hash", "=", hashToken(token))
    .where("actor_id", "=", actorId)
    // guard: previews-of-one-credential
    .where("made_with", "=", madeWith)
    .where("expires_at", ">", now)
    .returning("fingerprint")
    .executeTakeFirst();
  return row?.fingerprint;
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
