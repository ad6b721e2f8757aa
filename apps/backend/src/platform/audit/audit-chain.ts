import { createHash } from "node:crypto";
import type { AuditEntry } from "@svc/command-router/audit-entry";
import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import type { Caller } from "../identity/caller.ts";
import { boundedEntry } from "./bounded-entry.ts";
import { withoutText } from "./without-text.ts";

const start = Buffer.alloc(32);

export interface AuditedCall {
  caller: Caller;
  requestId: string;
  callerRequestId?: string | undefined;
  now: Date;
}

/**
 * Appends to the tenant's chain: each hash covers the previous hash and the exact text of the entry. The head row stays
 * locked until the transaction ends, so this comes last in it, and in few statements, however many entries there are.
 */
export async function appendAudit(
  transaction: TenantTransaction,
  call: AuditedCall,
  ...audited: AuditEntry[]
): Promise<void> {
  const [entry] = audited;
  if (entry && audited.length === 1) await appendOne(transaction, call, entry);
  else await appendAll(transaction, call, audited);
}

function textOf({ caller, requestId, callerRequestId, now }: AuditedCall, audited: AuditEntry): string {
  // guard: visitors-leave-no-text
  return JSON.stringify({
    at: now.toISOString(),
    actor: caller.actor.id,
    actorKind: caller.actor.kind,
    credential: caller.credential.id ?? null,
    ...(caller.credential.client !== undefined && { client: caller.credential.client }),
    ...(caller.actor.onBehalfOf && { onBehalfOf: caller.actor.onBehalfOf.id }),
    requestId,
    ...(callerRequestId !== undefined && { callerRequestId }),
    ...boundedEntry(caller.credential.kind === "demo_visitor" ? withoutText(audited) : audited),
  });
}

/** One statement locks and advances the head row and gives the entry its number. */
async function appendOne(
  transaction: TenantTransaction,
  call: AuditedCall,
  audited: AuditEntry,
): Promise<void> {
  const { caller, now } = call;
  const entry = textOf(call, audited);
  const digest = sha256(entry);
  await sql`
    with head as (
      insert into app.audit_head as head (tenant_id, sequence, hash)
      values (${transaction.tenantId}, 1, sha256(${start}::bytea || ${digest}::bytea))
      on conflict (tenant_id) do update
        set sequence = head.sequence + 1, hash = sha256(head.hash || ${digest}::bytea)
      returning new.sequence, coalesce(old.hash, ${start}::bytea) as previous_hash, new.hash)
    insert into app.audit (tenant_id, sequence, at, actor_id, command, outcome, entry, previous_hash, hash)
    select ${transaction.tenantId}, sequence, ${now}::timestamptz, ${caller.actor.id}::uuid, ${audited.command},
           ${audited.outcome}, ${entry}::json, previous_hash, hash
    from head`.execute(transaction.db);
}

/** Of a batch: the head row is read once, and the links are made here. */
async function appendAll(
  transaction: TenantTransaction,
  call: AuditedCall,
  audited: readonly AuditEntry[],
): Promise<void> {
  const { db, tenantId } = transaction;
  const { caller, now } = call;
  const { rows } = await sql<{ sequence: string; hash: Buffer }>`
    insert into app.audit_head as head (tenant_id, sequence, hash)
    values (${tenantId}, ${audited.length}, ${start})
    on conflict (tenant_id) do update set sequence = head.sequence + ${audited.length}
    returning new.sequence, coalesce(old.hash, ${start}::bytea) as hash`.execute(db);
  const [head] = rows;
  if (!head) throw new Error("the audit chain has no head");
  let { hash } = head;
  const first = Number(head.sequence) - audited.length + 1;
  const links = audited.map((one, index) => {
    const entry = textOf(call, one);
    const previousHash = hash;
    hash = sha256(Buffer.concat([previousHash, sha256(entry)]));
    return {
      ...{ tenant_id: tenantId, sequence: first + index, at: now, actor_id: caller.actor.id },
      ...{ command: one.command, outcome: one.outcome, entry: sql<never>`${entry}::json` },
      ...{ previous_hash: previousHash, hash },
    };
  });
  await db.insertInto("app.audit").values(links).execute();
  await db.updateTable("app.audit_head").set({ hash }).where("tenant_id", "=", tenantId).execute();
}

function sha256(data: string | Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}

export interface AuditLink {
  sequence: number;
  /** Columns outside the entry, used to find and show it. */
  at: Date;
  actorId: string;
  command: string;
  outcome: string;
  /** As stored, byte for byte. */
  entry: string;
  previousHash: Buffer;
  hash: Buffer;
}

/** Where the chain first breaks, or undefined if each link follows from the previous one. */
export function findBrokenLink(links: readonly AuditLink[], before: ChainEnd) {
  let { sequence, hash } = before;
  for (const link of links) {
    const expected = sha256(Buffer.concat([hash, sha256(link.entry)]));
    if (link.sequence !== sequence + 1 || !link.previousHash.equals(hash) || !link.hash.equals(expected)) {
      return link.sequence;
    }
    if (!showsItsEntry(link)) return link.sequence;
    ({ sequence, hash } = link);
  }
  return undefined;
}

/** The hash covers only the entry: a column that differs from it was changed separately. */
function showsItsEntry({ entry, at, actorId, command, outcome }: AuditLink): boolean {
  const said = JSON.parse(entry) as Record<string, unknown>;
  return (
    said.at === at.toISOString() &&
    said.actor === actorId &&
    said.command === command &&
    said.outcome === outcome
  );
}

export interface ChainEnd {
  sequence: number;
  hash: Buffer;
}

export const chainStart: ChainEnd = { sequence: 0, hash: start };
