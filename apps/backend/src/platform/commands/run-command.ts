import { type Admitted, admit } from "@svc/command-router/admit";
import { partsOf } from "@svc/command-router/arguments/batch-lines";
import type { AuditEntry } from "@svc/command-router/audit-entry";
import type { Call } from "@svc/command-router/call";
import type { Announced, FileVersion } from "@svc/command-router/command";
import { type DispatchPorts, dispatch, type Outcome } from "@svc/command-router/dispatch";
import { Memos } from "@svc/command-router/memo";
import { nextAfter, withNext } from "@svc/command-router/next/next-call";
import { requireMayRun } from "@svc/command-router/require-may-run";
import type { TenantTransaction } from "@svc/database/database";
import type { FolderPage } from "@svc/protocol/exchange";
import { encodeId } from "@svc/protocol/typed-id";
import { findByToken } from "../approvals/approvals-store.ts";
import { askPeople, stateOfApproval } from "../approvals/ask-people.ts";
import { issuePreviewToken } from "../approvals/preview-token.ts";
import { appendAudit } from "../audit/audit-chain.ts";
import { Blobs } from "../blobs/blobs.ts";
import { commitWithObjects } from "../blobs/commit-with-objects.ts";
import { allowanceKey, credentialKey, madeWith, runnerOf } from "../identity/caller.ts";
import type { Log } from "../process/log.ts";
import { contentsToStore } from "../uploads/staged-file.ts";
import type { CommandContext } from "./command-context.ts";
import { CommandUnit } from "./command-unit.ts";
import { isKeyUsed } from "./idempotency.ts";
import type { Platform, RequestContext } from "./platform.ts";
import { requireStorableText } from "./storable-text.ts";

export type CommandCall = Omit<Call<CommandContext>, "actorKind" | "scopes" | "commands">;

/** Runs one command for a caller: the only way from a surface to a feature. */
export async function runCommand(
  platform: Platform,
  call: CommandCall,
  request: RequestContext,
): Promise<Outcome> {
  return sayingNext(platform, call, request, () => {
    const whole = { ...wholeCall(call, request), parts: partsOf(platform.catalog, call) };
    return dispatch(whole, portsFor(platform, request, whole));
  });
}

/** A refusal says what to call next, if that is clear. */
async function sayingNext<T>(
  { catalog: { commands } }: Platform,
  call: CommandCall,
  { caller }: RequestContext,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const around = { commands, runner: runnerOf(caller, call.inSession) };
    const asked = { ...call, workspace: call.namedWorkspace };
    throw withNext(error, (problem) => nextAfter(problem, asked, around));
  }
}

export interface AdmittedCall extends Admitted {
  /** Its answer is already stored. */
  isAnswered: boolean;
}

/** Checks everything that can be checked without the files of a call. */
export async function admitCall(
  platform: Platform,
  call: CommandCall,
  request: RequestContext,
  announced?: ReadonlyMap<string, Announced>,
): Promise<AdmittedCall> {
  const whole = wholeCall(call, request);
  const { idempotencyKey: key } = whole;
  const { read, auditRefusal } = portsFor(platform, request, whole);
  let isAnswered = false;
  const ports: Parameters<typeof admit<CommandContext>>[1] = {
    auditRefusal,
    read: (work) =>
      read(async (context) => {
        const result = await work(context);
        isAnswered = key !== undefined && (await isKeyUsed(context.transaction, { idempotencyKey: key }));
        return result;
      }),
  };
  const admitted = await sayingNext(platform, call, request, () => admit(whole, ports, announced));
  return { ...admitted, isAnswered };
}

/** Reads contents for a download, if the command that created its address says that the caller can still read them. */
export function readDownload<T>(
  platform: Platform,
  call: CommandCall,
  files: readonly FileVersion[],
  request: RequestContext,
  read: (transaction: TenantTransaction) => Promise<T>,
): Promise<T> {
  const whole = wholeCall(call, request);
  requireMayRun(whole.command, whole);
  return portsFor(platform, request, whole).read(async (context) => {
    if (!whole.command.beforeDownload) throw new Error(`${whole.command.path} has no downloads`);
    await whole.command.beforeDownload(context, files);
    return read(context.transaction);
  });
}

/** The next page of a folder, as the command that created its address lists it for the caller now. */
export function listDownload(
  platform: Platform,
  call: CommandCall,
  { folderId, after }: { folderId: string; after: string },
  request: RequestContext,
): Promise<FolderPage> {
  const whole = wholeCall(call, request);
  requireMayRun(whole.command, whole);
  return portsFor(platform, request, whole).read(async (context) => {
    if (!whole.command.listDownload) throw new Error(`${whole.command.path} has no folders`);
    return whole.command.listDownload(context, folderId, after);
  });
}

/** Reads what a command reads, without running it: only for callers who may run it. */
export function readAs<T>(
  platform: Platform,
  call: CommandCall,
  request: RequestContext,
  read: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const whole = wholeCall(call, request);
  requireMayRun(whole.command, whole);
  return portsFor(platform, request, whole).read(read);
}

function wholeCall(call: CommandCall, { caller }: RequestContext): Call<CommandContext> {
  const workspace =
    call.workspace ?? (caller.defaultWorkspaceId && encodeId("workspace", caller.defaultWorkspaceId));
  requireStorableText(call.command, call.arguments, workspace);
  return { ...call, workspace, ...runnerOf(caller, call.inSession) };
}

function portsFor(
  platform: Platform,
  request: RequestContext,
  call: Call<CommandContext>,
): DispatchPorts<CommandContext> {
  const { database, blobStore, refusals } = platform;
  const { caller, requestId, callerRequestId, log, signal } = request;
  const scope = { tenantId: caller.tenant.id, actorId: caller.actor.id };
  const now = new Date();
  const audited = { caller, requestId, callerRequestId, now };
  const memos = new Memos();
  const told = request.told ?? {};
  const open = (transaction: TenantTransaction, blobs = new Blobs(blobStore, transaction)) =>
    CommandUnit.open({ platform, request, call, memos, told, now }, transaction, blobs);

  return {
    shown: () => told.shown,
    read: (work) =>
      database.withTenant(
        scope,
        "read",
        async (transaction) => work((await open(transaction)).context),
        request,
      ),
    commit: async (work) => {
      const contents = contentsToStore(request.uploads);
      const { result, effects } = await commitWithObjects(
        { database, store: blobStore, scope, signal, limitMillis: request.limitMillis, log },
        contents,
        async (transaction, blobs) => {
          const unit = await open(transaction, blobs);
          return { result: await work(unit), effects: unit.effects };
        },
      );
      await runEffects(effects, log);
      return result;
    },
    rollback: (work) =>
      database.withTenant(scope, "rollback", async (transaction) => work(await open(transaction)), request),
    auditRefusal: (refusal) => {
      const append = (entry: AuditEntry) =>
        database.withTenant(scope, "write", (transaction) =>
          appendAudit(transaction, { ...audited, now: new Date() }, entry),
        );
      return refusals
        ? refusals.note(`${scope.tenantId} ${allowanceKey(caller)}`, refusal, append)
        : append(refusal);
    },
    auditPreview: (entry, fingerprint) =>
      database.withTenant(scope, "write", async (transaction) => {
        const token = await issuePreviewToken(transaction, fingerprint, madeWith(caller, call.inSession));
        await appendAudit(transaction, audited, entry);
        return token;
      }),
    askPeople: async (previewToken, rehearse) => {
      const known = await database.withTenant(scope, "read", (transaction) =>
        findByToken(transaction, previewToken),
      );
      if (known) throw stateOfApproval(known);
      const asking = {
        call,
        askedWith: credentialKey(caller),
        madeWith: madeWith(caller, call.inSession),
        previewToken,
      };
      const wanted = await rehearse();
      throw stateOfApproval(
        await database.withTenant(scope, "write", (transaction) => askPeople(transaction, asking, wanted)),
      );
    },
  };
}

/** The commit stands even if one of these fails; a sweep makes up for it later. */
async function runEffects(effects: readonly (() => Promise<void>)[], log: Log): Promise<void> {
  for (const effect of effects) {
    await effect().catch((error: unknown) => log.error({ err: error }, "an effect of a command failed"));
  }
}
