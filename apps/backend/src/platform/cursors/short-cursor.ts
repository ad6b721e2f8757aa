import { randomInt } from "node:crypto";
import type { TenantTransaction } from "@svc/database/database";
import { alphabet } from "@svc/protocol/typed-id";

const validFor = 24 * 3_600 * 1_000;
/** Of one credential; a new one replaces the oldest. */
const mostKept = 100;

/** `k7.m2`. The cursors of commands are ids, numbers, slugs, paths and base64url: none has a dot there. */
const form = /^[0-9a-z]{2}\.[0-9a-z]{2}$/i;

export function isShortCursor(text: unknown): text is string {
  return typeof text === "string" && form.test(text);
}

/** What a short cursor stands for, and for whom. */
export interface KeptCursor {
  credentialId: string;
  lineHash: Buffer;
  cursor: string;
}

/** A short name for a cursor. It is bound to the actor, the credential and the line. */
export async function keepCursor(
  { db, tenantId, actorId, now }: TenantTransaction,
  { credentialId, lineHash, cursor }: KeptCursor,
  newCode = randomCode,
): Promise<string> {
  const mine = db
    .selectFrom("app.page_cursor")
    .select("code")
    .where("tenant_id", "=", tenantId)
    .where("actor_id", "=", actorId)
    .where("credential_id", "=", credentialId);
  await db
    .deleteFrom("app.page_cursor")
    .where("tenant_id", "=", tenantId)
    .where("actor_id", "=", actorId)
    .where(
      "code",
      "in",
      mine
        .orderBy("expires_at", "desc")
        .orderBy("code")
        .offset(mostKept - 1),
    )
    .execute();
  for (;;) {
    const code = newCode();
    const kept = await db
      .insertInto("app.page_cursor")
      .values({
        tenant_id: tenantId,
        actor_id: actorId,
        code,
        credential_id: credentialId,
        line_hash: lineHash,
        cursor,
        expires_at: new Date(now.getTime() + validFor),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("code")
      .executeTakeFirst();
    if (kept) return code;
  }
}

/** Undefined for a cursor of another actor or credential, like for one that never existed. */
export async function findCursor(
  { db, tenantId, actorId, now }: TenantTransaction,
  { credentialId, code }: { credentialId: string; code: string },
): Promise<Pick<KeptCursor, "lineHash" | "cursor"> | undefined> {
  return db
    .selectFrom("app.page_cursor")
    .select(["line_hash as lineHash", "cursor"])
    .where("tenant_id", "=", tenantId)
    .where("actor_id", "=", actorId)
    .where("credential_id", "=", credentialId)
    .where("code", "=", code.toLowerCase())
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

function randomCode(): string {
  const characters = Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return `${characters.slice(0, 2)}.${characters.slice(2)}`;
}
