import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { type AnswerKey, forNewPreview, type Outcome } from "@svc/command-router/dispatch";
import type { TenantTransaction } from "@svc/database/database";
import { ProblemError } from "@svc/protocol/problem";

const keptFor = 24 * 60 * 60 * 1_000;

interface StoredAnswer {
  outcome: Outcome;
  /** What the caller's right to it depends on: see `AnswerStoredEvent`. */
  basis: Record<string, string>;
}

/**
 * Claims the key for this transaction, or returns the answer stored under it. A second call with the same key waits at
 * the insert until the first has ended: then it finds the outcome or, if the first failed, claims the key.
 */
export async function claimKey(
  { db, tenantId, actorId, now }: TenantTransaction,
  key: AnswerKey,
  fingerprint: string,
): Promise<StoredAnswer | undefined> {
  const keyHash = hashKey(key);
  const claimed = await db
    .insertInto("app.idempotency")
    .values({
      tenant_id: tenantId,
      actor_id: actorId,
      key_hash: keyHash,
      fingerprint,
      expires_at: new Date(now.getTime() + keptFor),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (claimed.numInsertedOrUpdatedRows === 1n) return undefined;

  const earlier = await db
    .selectFrom("app.idempotency")
    .select(["fingerprint", "sealed_outcome"])
    .where("tenant_id", "=", tenantId)
    .where("actor_id", "=", actorId)
    .where("key_hash", "=", keyHash)
    .executeTakeFirst();
  if (earlier?.fingerprint !== fingerprint || earlier.sealed_outcome === null) {
    throw reused(key);
  }
  return unseal(key, earlier.sealed_outcome);
}

export async function isKeyUsed(
  { db, tenantId, actorId }: TenantTransaction,
  key: AnswerKey,
): Promise<boolean> {
  const found = await db
    .selectFrom("app.idempotency")
    .select("key_hash")
    .where("tenant_id", "=", tenantId)
    .where("actor_id", "=", actorId)
    .where("key_hash", "=", hashKey(key))
    .executeTakeFirst();
  return found !== undefined;
}

export async function storeAnswer(
  { db, tenantId, actorId }: TenantTransaction,
  key: AnswerKey,
  answer: StoredAnswer,
): Promise<void> {
  await db
    .updateTable("app.idempotency")
    .set({ sealed_outcome: seal(key, answer) })
    .where("tenant_id", "=", tenantId)
    .where("actor_id", "=", actorId)
    .where("key_hash", "=", hashKey(key))
    .execute();
}

function reused(key: AnswerKey): ProblemError {
  if ("previewToken" in key) {
    return new ProblemError("conflict", "This preview token was used for another line.", forNewPreview);
  }
  return new ProblemError(
    "idempotency_key_reused",
    "This idempotency key was already used for another request.",
    { hint: "Use a new key for each command, and reuse it only for retries." },
  );
}

/** Different texts for a key and for a token, whatever somebody chooses as a key. */
function textOf(key: AnswerKey): string {
  return "previewToken" in key ? `preview ${key.previewToken}` : `idempotency ${key.idempotencyKey}`;
}

function hashKey(key: AnswerKey): Buffer {
  return createHash("sha256")
    .update(`svc ${textOf(key)}`)
    .digest();
}

/** Only the caller has the key, so only a caller who repeats it can open the answer. */
function sealingKey(key: AnswerKey): Uint8Array {
  const secret = "previewToken" in key ? key.previewToken : key.idempotencyKey;
  return new Uint8Array(hkdfSync("sha256", secret, "", "svc sealed outcome", 32));
}

function seal(key: AnswerKey, answer: StoredAnswer): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", sealingKey(key), nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer), "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

function unseal(key: AnswerKey, sealed: Buffer): StoredAnswer {
  const decipher = createDecipheriv("aes-256-gcm", sealingKey(key), sealed.subarray(0, 12));
  decipher.setAuthTag(sealed.subarray(12, 28));
  const text = Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString("utf8");
  return JSON.parse(text) as StoredAnswer;
}
