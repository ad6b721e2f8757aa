import { admit } from "@svc/command-router/admit";
import type { AuditEntry } from "@svc/command-router/audit-entry";
import type { Call } from "@svc/command-router/call";
import type { Catalog } from "@svc/command-router/catalog";
import type { FileVersion } from "@svc/command-router/command";
import { type DispatchPorts, dispatch, type Outcome, type WriteUnit } from "@svc/command-router/dispatch";
import { requireMayRun } from "@svc/command-router/require-may-run";
import type { Database, TenantTransaction } from "@svc/database/database";
import type { Change, ProgressAnswer } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import { appendAudit } from "../audit/audit-chain.ts";
import type { RefusalLog } from "../audit/refusal-log.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import { Blobs } from "../blobs/blobs.ts";
import { PendingObjects } from "../blobs/pending-objects.ts";
import { type Caller, credentialKey } from "../identity/caller.ts";
import { currentActor } from "../identity/current-actor.ts";
import type { Later } from "../jobs/later.ts";
import type { Log } from "../process/log.ts";
import { noQueryVectors, type QueryVectors } from "../search/query-vectors.ts";
import type { RecallCanary } from "../search/recall-canary.ts";
import type { SearchSources } from "../search/search-source.ts";
import type { StagedFile } from "../uploads/staged-file.ts";
import type { CommandContext } from "./command-context.ts";
import { claimIdempotencyKey, isKeyUsed, storeAnswer } from "./idempotency.ts";
import type { Listeners } from "./listeners.ts";
import { issuePreviewToken, takePreviewToken } from "./preview-token.ts";
import { requireStorableText } from "./storable-text.ts";

export interface Platform {
  database: Database;
  catalog: Catalog<CommandContext>;
  blobStore: BlobStore;
  listeners: Listeners;
  searchSources: SearchSources;
  /** Without it, nothing is found by meaning. */
  queryVectors?: QueryVectors;
  /** Without it, nobody looks after the index of vectors. */
  recallCanary?: RecallCanary;
  /** Without it, what commands leave for later is left undone. */
  later?: Later;
  /** Without it, every refusal has its own audit entry. */
  refusals?: RefusalLog;
}

/** What a surface knows about one request, beside the call itself. */
export interface RequestContext {
  caller: Caller;
  requestId: string;
  log: Log;
  signal: AbortSignal;
  uploads?: ReadonlyMap<string, StagedFile>;
  progress?: (progress: Omit<ProgressAnswer, "kind">) => void;
}

export type CommandCall = Omit<Call<CommandContext>, "actorKind" | "scopes">;

/** Runs one command for a caller: the only way from a surface to a feature. */
export async function runCommand(
  platform: Platform,
  call: CommandCall,
  request: RequestContext,
): Promise<Outcome> {
  const whole = wholeCall(call, request);
  return dispatch(whole, portsFor(platform, request, whole));
}

/** Checks all that can be checked without the files of a call. Says whether its answer is stored already. */
export async function admitCall(
  platform: Platform,
  call: CommandCall,
  request: RequestContext,
): Promise<{ isAnswered: boolean }> {
  const whole = wholeCall(call, request);
  const { idempotencyKey: key } = whole;
  const { read, auditRefusal } = portsFor(platform, request, whole);
  let isAnswered = false;
  await admit(whole, {
    auditRefusal,
    read: (work) =>
      read(async (context) => {
        const result = await work(context);
        isAnswered = key !== undefined && (await isKeyUsed(context.transaction, key));
        return result;
      }),
  });
  return { isAnswered };
}

/** Reads what somebody was given the address of, if the command that gave it says that they may still read it. */
export function readDownload<T>(
  platform: Platform,
  call: CommandCall,
  file: FileVersion,
  request: RequestContext,
  read: (transaction: TenantTransaction) => Promise<T>,
): Promise<T> {
  const whole = wholeCall(call, request);
  requireMayRun(whole.command, whole);
  return portsFor(platform, request, whole).read(async (context) => {
    if (!whole.command.beforeDownload) throw new Error(`${whole.command.path} has no downloads`);
    await whole.command.beforeDownload(context, file);
    return read(context.transaction);
  });
}

function wholeCall(call: CommandCall, { caller }: RequestContext): Call<CommandContext> {
  const workspace =
    call.workspace ?? (caller.defaultWorkspaceId && encodeId("workspace", caller.defaultWorkspaceId));
  requireStorableText(call.command, call.arguments, workspace);
  return {
    ...call,
    ...(workspace === undefined ? {} : { workspace }),
    actorKind: caller.actor.kind,
    scopes: caller.scopes,
  };
}

function portsFor(
  {
    database,
    catalog,
    blobStore,
    listeners,
    searchSources,
    queryVectors = noQueryVectors,
    recallCanary,
    later,
    refusals,
  }: Platform,
  request: RequestContext,
  call: Call<CommandContext>,
): DispatchPorts<CommandContext> {
  const { caller, requestId, log } = request;
  const { workspace } = call;
  const scope = { tenantId: caller.tenant.id, actorId: caller.actor.id };
  const audited = { caller, requestId, now: new Date() };
  const uploads = request.uploads ?? new Map<string, StagedFile>();

  return {
    read: (work) =>
      database.withTenant(
        scope,
        "read",
        async (transaction) => work((await open(transaction)).context),
        request,
      ),
    commit: async (work) => {
      const pending = new PendingObjects(blobStore, scope.tenantId, request.signal);
      let effects: (() => Promise<void>)[] = [];
      let adopted: ReadonlySet<string> = new Set();
      let mayBeCommitted = false;
      try {
        // Before the transaction: a slow store must hold neither a connection nor a lock.
        await writeAll(pending, uploads.values());
        const result = await database.withTenant(
          scope,
          "write",
          async (transaction) => {
            mayBeCommitted = false;
            const unit = await open(transaction, pending);
            effects = unit.effects;
            adopted = unit.context.blobs.adopted;
            const outcome = await work(unit);
            // Who was told that it was given up, or did not wait, must not find it done later.
            request.signal.throwIfAborted();
            mayBeCommitted = true;
            return outcome;
          },
          request,
        );
        await follow([...effects, () => pending.removeExcept(adopted)]);
        return result;
      } catch (error) {
        // A commit whose answer was lost may have happened: then the sweep finds out what nobody needs.
        if (!mayBeCommitted) await follow([() => pending.removeExcept(new Set())]);
        throw error;
      }
    },
    rollback: (work) =>
      database.withTenant(scope, "rollback", async (transaction) => work(await open(transaction)), request),
    auditRefusal: (refusal) => {
      const append = (entry: AuditEntry) =>
        database.withTenant(scope, "write", (transaction) =>
          appendAudit(transaction, { ...audited, now: new Date() }, entry),
        );
      return refusals
        ? refusals.note(`${scope.tenantId} ${scope.actorId}`, refusal, append)
        : append(refusal);
    },
    auditPreview: (entry, fingerprint) =>
      database.withTenant(scope, "write", async (transaction) => {
        const token = await issuePreviewToken(transaction, fingerprint, audited.now);
        await appendAudit(transaction, audited, entry);
        return token;
      }),
  };

  /** The end stands whatever happens here; effects are such that a sweep can make up for them. */
  async function follow(effects: (() => Promise<void>)[]): Promise<void> {
    for (const effect of effects) {
      await effect().catch((error: unknown) => log.error({ err: error }, "an effect of a command failed"));
    }
  }

  async function open(
    transaction: TenantTransaction,
    pending?: PendingObjects,
  ): Promise<WriteUnit<CommandContext> & { effects: (() => Promise<void>)[] }> {
    const actor = await currentActor(transaction, caller.actor);
    const changes: Change[] = [];
    const effects: (() => Promise<void>)[] = [];
    const left: (() => Promise<void>)[] = [];
    let undoPayload: unknown;
    const context: CommandContext = {
      transaction,
      caller: { ...caller, actor },
      actor,
      workspace,
      recordChange: (change) => {
        changes.push(change);
      },
      recordUndo: (payload) => {
        undoPayload = payload;
      },
      beforeCommit: (work) => {
        left.push(work);
      },
      afterCommit: (effect) => {
        effects.push(effect);
      },
      emit: (name, event) => listeners.tell(context, name, event),
      undo: async (path, payload, operation) => {
        const command = catalog.find(path);
        if (!command?.undo) throw new Error(`${path} has no undo any more`);
        requireMayRun(command, call);
        const parsed = command.undo.payload.safeParse(payload);
        if (!parsed.success) {
          throw new ProblemError("conflict", "An earlier version of the service recorded this operation.", {
            hint: "It cannot be undone any more.",
          });
        }
        return command.undo.payload.parse(await command.undo.run(context, parsed.data, operation));
      },
      uploads,
      blobs: new Blobs(blobStore, transaction, pending),
      searchSources,
      queryVectors,
      recallCanary,
      later: (work) => later?.add(scope, work) ?? false,
      progress: request.progress ?? (() => {}),
      log,
      signal: request.signal,
      now: audited.now,
    };
    return {
      context,
      settle: async () => {
        for (const work of left) await work();
      },
      changes,
      effects,
      get undoPayload() {
        return undoPayload;
      },
      claimIdempotencyKey: async (key, fingerprint) => {
        const earlier = await claimIdempotencyKey(
          transaction,
          key,
          `${fingerprint} ${credentialKey(caller)}`,
          audited.now,
        );
        if (!earlier) return undefined;
        await context.emit("AnswerRepeatedEvent", { basis: new Map(Object.entries(earlier.basis)) });
        return earlier.outcome;
      },
      storeOutcome: async (key, outcome) => {
        const basis = new Map<string, string>();
        await context.emit("AnswerStoredEvent", { basis });
        await storeAnswer(transaction, key, { outcome, basis: Object.fromEntries(basis) });
      },
      takePreview: (token) => takePreviewToken(transaction, token, audited.now),
      recordOperation: (command, payload, recorded) =>
        recordOperation(transaction, command, payload, recorded),
      appendAudit: (entry: AuditEntry) => appendAudit(transaction, audited, entry),
    };
  }
}

const writesAtOnce = 8;

/** Of a folder what is in it, not the archive. */
async function writeAll(pending: PendingObjects, uploads: Iterable<StagedFile>): Promise<void> {
  const contents = [...uploads].flatMap((upload) =>
    upload.entries ? upload.entries.flatMap(({ file }) => file ?? []) : [upload],
  );
  // The same content twice is one object; written at once it would be two.
  const distinct = [...new Map(contents.map((content) => [content.sha256, content])).values()];
  for (let start = 0; start < distinct.length; start += writesAtOnce) {
    await Promise.all(distinct.slice(start, start + writesAtOnce).map((content) => pending.write(content)));
  }
}

async function recordOperation(
  { db, tenantId, actorId }: TenantTransaction,
  command: string,
  payload: unknown,
  changes: readonly Change[],
): Promise<string> {
  const { id } = await db
    .insertInto("app.operation")
    .values({
      tenant_id: tenantId,
      actor_id: actorId,
      command,
      undo_payload: JSON.stringify(payload),
      changes: JSON.stringify(changes),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return encodeId("operation", id);
}
