import { randomBytes } from "node:crypto";
import type { TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { nobody } from "../identity/nobody.ts";
import { hashToken } from "./preview-token.ts";

/** Credentials and actors have ids of the same form. */
const isOfSession = sql<boolean>`session.credential_id = approval.asked_with::uuid`;

export const approvalStates = ["pending", "approved", "denied", "answered", "expired", "withdrawn"] as const;
export type ApprovalState = (typeof approvalStates)[number];

/** For the question, and again for the answer to be used. */
function validFor(tenantId: string) {
  return sql`make_interval(mins => coalesce((select approval_minutes from app.tenant_setting where tenant_id = ${tenantId}), 10))`;
}

/** More would bury the people who decide. */
const mostPending = 20;

export interface Approval {
  id: string;
  /** What waits: a command that needs a person, or a question in words. */
  origin: "command" | "question";
  actorId: string;
  actorName: string | null;
  /** For whom, if it was asked in a session. */
  personName: string | null;
  askedWith: string;
  inSession: boolean;
  scopes: string[];
  command: string;
  arguments: unknown;
  workspace: string | null;
  workspaceIds: string[];
  shown: string;
  digest: string;
  state: ApprovalState;
  deciderName: string | null;
  decidedAt: Date | null;
  /** Why somebody said no, or what they answered. */
  reason: string | null;
  usedAt: Date | null;
  createdAt: Date;
  expiresAt: Date;
}

export type Asked = Pick<
  Approval,
  | "origin"
  | "askedWith"
  | "inSession"
  | "scopes"
  | "command"
  | "arguments"
  | "workspace"
  | "workspaceIds"
  | "shown"
  | "digest"
>;

/** Kept with the preview that it is about, which lives as long. Undefined if too many are waiting already. */
export async function insertApproval(
  transaction: TenantTransaction,
  previewToken: string,
  asked: Omit<Asked, "origin">,
): Promise<Approval | undefined> {
  const tokenHash = hashToken(previewToken);
  const id = await insert(transaction, tokenHash, { ...asked, origin: "command" });
  if (id !== undefined) await keepPreview(transaction, tokenHash);
  return findByToken(transaction, previewToken);
}

/** No token belongs to it, so nothing can be run with its answer. Undefined if too many are waiting already. */
export function insertQuestion(
  transaction: TenantTransaction,
  asked: Omit<Asked, "origin" | "digest">,
): Promise<string | undefined> {
  return insert(transaction, randomBytes(32), { ...asked, origin: "question", digest: "" });
}

async function insert(
  { db, tenantId, actorId, now }: TenantTransaction,
  tokenHash: Buffer,
  asked: Asked,
): Promise<string | undefined> {
  // One at a time, so that the limit holds.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`approvals ${tenantId} ${actorId} ${asked.askedWith}`}, 0))`.execute(
    db,
  );
  const { rows } = await sql<{ id: string }>`
    insert into app.approval (tenant_id, id, origin, actor_id, asked_with, in_session, scopes, token_hash, command,
      arguments, workspace, workspace_ids, shown, digest, created_at, expires_at)
    select ${tenantId}, uuidv7(), ${asked.origin}, ${actorId}, ${asked.askedWith}, ${asked.inSession},
      ${asked.scopes}::text[], ${tokenHash}, ${asked.command}, ${JSON.stringify(asked.arguments)}::jsonb,
      ${asked.workspace}, ${asked.workspaceIds}::uuid[], ${asked.shown}, ${asked.digest}, ${now}, ${now}::timestamptz + ${validFor(tenantId)}
    where (select count(*) from app.approval
      where tenant_id = ${tenantId} and actor_id = ${actorId} and asked_with = ${asked.askedWith}
        and state = 'pending' and expires_at > ${now}) < ${mostPending}
    on conflict (tenant_id, token_hash) do nothing
    returning id`.execute(db);
  return rows[0]?.id;
}

export async function findByToken(
  transaction: TenantTransaction,
  previewToken: string,
): Promise<Approval | undefined> {
  return approvals(transaction)
    .where("approval.token_hash", "=", hashToken(previewToken))
    .where("approval.actor_id", "=", transaction.actorId)
    .executeTakeFirst();
}

/** Its id, and it can't be used again; undefined if there is none that a person has approved. */
export async function useApproval(
  { db, tenantId, actorId, now }: TenantTransaction,
  previewToken: string,
  { askedWith, inSession }: Pick<Approval, "askedWith" | "inSession">,
): Promise<string | undefined> {
  const used = await db
    .updateTable("app.approval")
    .set({ used_at: now })
    .where("tenant_id", "=", tenantId)
    .where("token_hash", "=", hashToken(previewToken))
    .where("actor_id", "=", actorId)
    .where("asked_with", "=", askedWith)
    .where("in_session", "=", inSession)
    // guard: only-approved
    .where("state", "=", "approved")
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .returning("id")
    .executeTakeFirst();
  return used?.id;
}

/** Whose approvals: those that an actor asked for, and those of workspaces that they own; all for administrators. */
export interface Whose {
  actorId: string;
  /** Only what this credential asked for. */
  askedWith?: string | undefined;
  /** Not what was asked for in a session, which is its person's. */
  besidesSessions?: boolean;
  /** Also what sessions for this person asked for. */
  person?: string | undefined;
  ownedWorkspaces: readonly string[] | "all";
}

export async function listApprovals(
  transaction: TenantTransaction,
  whose: Whose,
  { state, limit, before }: { state: ApprovalState; limit: number; before?: string | undefined },
): Promise<Approval[]> {
  let query = visible(transaction, whose)
    .where(stateAt(transaction.now), "=", state)
    .orderBy("approval.id", "desc")
    .limit(limit);
  if (before !== undefined) query = query.where("approval.id", "<", before);
  return query.execute();
}

export async function findApproval(
  transaction: TenantTransaction,
  whose: Whose,
  id: string,
  lock: "lock" | "look",
): Promise<Approval | undefined> {
  const query = visible(transaction, whose).where("approval.id", "=", id);
  return (lock === "lock" ? query.forUpdate("approval") : query).executeTakeFirst();
}

/** How many wait for somebody with this credential: nobody answers their own. */
export async function countPending(
  transaction: TenantTransaction,
  { ownedWorkspaces, person }: Whose,
  credential: string,
): Promise<number> {
  const { db, tenantId, now } = transaction;
  const row = await db
    .selectFrom("app.approval as approval")
    .leftJoin("control.session as session", (join) =>
      join.onRef("session.tenant_id", "=", "approval.tenant_id").on(isOfSession),
    )
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("approval.tenant_id", "=", tenantId)
    .where("approval.state", "=", sql.lit("pending"))
    .where("approval.expires_at", ">", now)
    .where("approval.asked_with", "!=", credential)
    .where(({ or, eb }) =>
      or([
        ownedBy(ownedWorkspaces),
        eb("session.person_id", "=", person ?? nobody),
        // Of an agent of theirs.
        eb("approval.actor_id", "=", person ?? nobody),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function decideApproval(
  transaction: TenantTransaction,
  id: string,
  decision: { state: "approved" | "denied" | "answered" | "withdrawn"; reason?: string | undefined },
): Promise<void> {
  const { db, tenantId, actorId, now } = transaction;
  const { token_hash: tokenHash } = await db
    .updateTable("app.approval")
    .set({
      state: decision.state,
      reason: decision.reason ?? null,
      decided_by: actorId,
      decided_at: now,
      expires_at: sql`${now}::timestamptz + ${validFor(tenantId)}`,
    })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .returning("token_hash")
    .executeTakeFirstOrThrow();
  if (decision.state === "approved") await keepPreview(transaction, tokenHash);
}

/** Until the approval expires. */
async function keepPreview({ db, tenantId, now }: TenantTransaction, tokenHash: Buffer): Promise<void> {
  await sql`update app.preview set expires_at = greatest(expires_at, ${now}::timestamptz + ${validFor(tenantId)})
    where tenant_id = ${tenantId} and token_hash = ${tokenHash} and expires_at > ${now}`.execute(db);
}

function stateAt(now: Date) {
  return sql<ApprovalState>`case when approval.state in ('pending', 'approved') and approval.used_at is null and approval.expires_at <= ${now}
    then 'expired' else approval.state end`;
}

function ownedBy(ownedWorkspaces: Whose["ownedWorkspaces"]) {
  if (ownedWorkspaces === "all") return sql<boolean>`true`;
  return sql<boolean>`approval.workspace_ids <> '{}' and approval.workspace_ids <@ ${[...ownedWorkspaces]}::uuid[]`;
}

function visible(
  transaction: TenantTransaction,
  { actorId, askedWith, besidesSessions = false, person, ownedWorkspaces }: Whose,
) {
  return approvals(transaction)
    .where(({ or, and, eb }) =>
      // guard: approvals-of-owners
      or([
        and([
          eb("approval.actor_id", "=", actorId),
          ...(besidesSessions ? [eb("session.person_id", "is", null)] : []),
        ]),
        eb("session.person_id", "=", person ?? nobody),
        ownedBy(ownedWorkspaces),
      ]),
    )
    .$if(askedWith !== undefined, (query) => query.where("approval.asked_with", "=", askedWith ?? ""));
}

function approvals({ db, tenantId, now }: TenantTransaction) {
  return db
    .selectFrom("app.approval as approval")
    .leftJoin("app.principal as asking", (join) =>
      join.onRef("asking.tenant_id", "=", "approval.tenant_id").onRef("asking.id", "=", "approval.actor_id"),
    )
    .leftJoin("app.principal as decider", (join) =>
      join
        .onRef("decider.tenant_id", "=", "approval.tenant_id")
        .onRef("decider.id", "=", "approval.decided_by"),
    )
    .leftJoin("control.session as session", (join) =>
      join.onRef("session.tenant_id", "=", "approval.tenant_id").on(isOfSession),
    )
    .leftJoin("app.principal as person", (join) =>
      join.onRef("person.tenant_id", "=", "session.tenant_id").onRef("person.id", "=", "session.person_id"),
    )
    .select([
      "approval.id",
      sql<Approval["origin"]>`approval.origin`.as("origin"),
      "approval.actor_id as actorId",
      "asking.name as actorName",
      "person.name as personName",
      "approval.asked_with as askedWith",
      "approval.in_session as inSession",
      "approval.scopes",
      "approval.command",
      "approval.arguments",
      "approval.workspace",
      "approval.workspace_ids as workspaceIds",
      "approval.shown",
      "approval.digest",
      stateAt(now).as("state"),
      "decider.name as deciderName",
      "approval.decided_at as decidedAt",
      "approval.reason",
      "approval.used_at as usedAt",
      "approval.created_at as createdAt",
      "approval.expires_at as expiresAt",
    ])
    .where("approval.tenant_id", "=", tenantId);
}
