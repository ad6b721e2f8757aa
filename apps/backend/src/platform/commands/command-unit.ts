import { inLine, type Part, partsOf } from "@svc/command-router/arguments/batch-lines";
import { parseArguments } from "@svc/command-router/arguments/parse-arguments";
import type { AuditEntry } from "@svc/command-router/audit-entry";
import type { Call } from "@svc/command-router/call";
import type { UndoneOperation } from "@svc/command-router/command";
import { isAi, needsPerson } from "@svc/command-router/decide";
import type { AnswerKey, Outcome, WriteUnit } from "@svc/command-router/dispatch";
import { comparable, previewDigest } from "@svc/command-router/fingerprint";
import { auditFacts } from "@svc/command-router/gate";
import { Memos } from "@svc/command-router/memo";
import { leftToPeople, requireMayRun, requireMayRunAll } from "@svc/command-router/require-may-run";
import type { TenantTransaction } from "@svc/database/database";
import type { Change } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import { sql } from "kysely";
import { demandsPerson } from "../approvals/approval-policy.ts";
import { useApproval } from "../approvals/approvals-store.ts";
import { takePreviewToken } from "../approvals/preview-token.ts";
import { appendAudit } from "../audit/audit-chain.ts";
import type { Blobs } from "../blobs/blobs.ts";
import { credentialKey, madeWith, runnerOf } from "../identity/caller.ts";
import { currentActor } from "../identity/current-actor.ts";
import { recordOperation } from "../jobs/operations-store.ts";
import type { CommandContext, PartDone, PartUndo, Rehearsal, Rehearsed } from "./command-context.ts";
import { claimKey, storeAnswer } from "./idempotency.ts";
import type { Platform, RequestContext, Told } from "./platform.ts";

interface RunningCall {
  platform: Platform;
  request: RequestContext;
  call: Call<CommandContext>;
  /** Kept from one attempt to the next. */
  memos: Memos;
  told: Told;
  now: Date;
}

type AuditedLine = Pick<AuditEntry, "command" | "effect" | "arguments" | "line" | "changes">;

/** One attempt to run a command: its transaction, what the command left with it, and what is recorded about it. */
export class CommandUnit implements WriteUnit<CommandContext> {
  readonly context: CommandContext;
  readonly changes: Change[] = [];
  readonly bound: unknown[] = [];
  /** As the database and as people know them. */
  readonly made = new Map<string, number>();
  readonly effects: (() => Promise<void>)[] = [];
  undoPayload: unknown;
  /** Made by a command alone: no later line can name it. */
  readonly #new = new Set<string>();
  readonly #places = new Set<string>();
  readonly #resolved: Record<string, string> = {};
  readonly #beforeCommit: (() => Promise<void>)[] = [];
  /** Its own, and that of each line of a batch: each knows where it has looked. */
  readonly #contexts: CommandContext[] = [];
  /** Of each line of a batch, what it is audited with. */
  readonly #lines: AuditedLine[] = [];
  readonly #running: RunningCall;
  readonly #transaction: TenantTransaction;

  /** The actor is read again: their rights may have changed since the credential was checked. */
  static async open(
    running: RunningCall,
    transaction: TenantTransaction,
    blobs: Blobs,
  ): Promise<CommandUnit> {
    running.told.shown = undefined;
    const { approvalsWait, ...actor } = await currentActor(transaction, running.request.caller.actor);
    running.told.approvalsWait = approvalsWait;
    return new CommandUnit(running, transaction, blobs, { actor, approvalsWait });
  }

  private constructor(
    running: RunningCall,
    transaction: TenantTransaction,
    blobs: Blobs,
    { actor, approvalsWait }: Pick<CommandContext, "actor" | "approvalsWait">,
  ) {
    const { platform, request, call, now } = running;
    const { caller } = request;
    const scope = { tenantId: caller.tenant.id, actorId: caller.actor.id };
    this.#running = running;
    this.#transaction = transaction;
    this.context = {
      transaction,
      caller: { ...caller, actor },
      actor,
      madeWith: madeWith(caller, call.inSession),
      inSession: call.inSession,
      approvalsWait,
      workspace: call.workspace,
      namedWorkspace: call.namedWorkspace,
      timeZone: request.timeZone ?? "UTC",
      recordChange: (change) => {
        this.changes.push(change);
      },
      recordMade: (_, id, within) => {
        if (within !== undefined && !this.#new.has(within)) this.#bindPlace(within);
        this.#new.add(id);
      },
      bindPreview: (...things) => {
        this.bound.push(...things);
      },
      isForPeople: request.isForPeople ?? false,
      showPeople: (shown) => {
        running.told.shown = shown;
      },
      resolveArgument: (name, value) => {
        this.#resolved[name] = value;
      },
      recordUndo: (payload) => {
        this.undoPayload = payload;
      },
      beforeCommit: (work) => {
        this.#beforeCommit.push(work);
      },
      afterCommit: (effect) => {
        this.effects.push(effect);
      },
      emit: (name, event) => platform.listeners.tell(this.context, name, event),
      undo: (path, payload, operation) => this.#undo(path, payload, operation),
      commandsNamed: (name) => platform.catalog.named(name),
      scopesNamed: platform.catalog.scopes,
      rehearse: (rehearsed) => this.#rehearse(rehearsed),
      runParts: () => this.#runParts(),
      undoParts: (parts, operation) => this.#undoParts(parts, operation),
      isPart: false,
      uploads: request.uploads ?? new Map(),
      blobs,
      sharedThings: platform.accessSubjects,
      search: platform.search,
      memo: (key) => running.memos.of(key),
      later: (work) => platform.deferredWrites?.add(scope, work) ?? false,
      progress: request.progress ?? (() => {}),
      log: request.log,
      signal: request.signal,
      now,
    };
    this.#contexts.push(this.context);
  }

  /** The change of something new has only its path, which can lead to another folder or workspace by the time of the commit. */
  #bindPlace(id: string): void {
    if (!this.#places.has(id)) this.bound.push({ within: id });
    this.#places.add(id);
  }

  async settle(): Promise<void> {
    for (const work of this.#beforeCommit) await work();
  }

  async claimKey(key: AnswerKey, fingerprint: string): Promise<Outcome | undefined> {
    const { request } = this.#running;
    // A preview of a session is not its person's.
    const by = "previewToken" in key ? this.context.madeWith : credentialKey(request.caller);
    const ofCredential = `${fingerprint} ${by}`;
    const earlier = await claimKey(this.#transaction, key, ofCredential);
    if (!earlier) return undefined;
    await this.context.emit("AnswerRepeatedEvent", { basis: new Map(Object.entries(earlier.basis)) });
    return earlier.outcome;
  }

  async storeOutcome(key: AnswerKey, outcome: Outcome): Promise<void> {
    const basis = new Map<string, string>();
    for (const context of this.#contexts) await context.emit("AnswerStoredEvent", { basis });
    await storeAnswer(this.#transaction, key, { outcome, basis: Object.fromEntries(basis) });
  }

  takePreview(token: string): Promise<string | undefined> {
    return takePreviewToken(this.#transaction, token, this.context.madeWith);
  }

  async workspacesUsed(): Promise<string[]> {
    const workspaceIds = new Set<string>();
    for (const context of this.#contexts) await context.emit("ApprovalWantedEvent", { workspaceIds });
    // Nobody owns a new one yet, so nobody could decide about it.
    return [...workspaceIds].filter((id) => !this.made.has(id));
  }

  demandsPerson(): Promise<boolean> {
    const { command, parts } = this.#running.call;
    return this.#isDemanded([command, ...(parts?.() ?? []).map((part) => part.command)]);
  }

  async #isDemanded(commands: Parameters<typeof demandsPerson>[1]): Promise<boolean> {
    return isAi(this.#running.call) && demandsPerson(this.#transaction, commands);
  }

  async takeApproval(token: string): Promise<boolean> {
    const { call, request } = this.#running;
    const asking = { askedWith: credentialKey(request.caller), inSession: call.inSession };
    const id = await useApproval(this.#transaction, token, asking);
    if (id !== undefined) this.context.resolveArgument("approval", encodeId("approval", id));
    return id !== undefined;
  }

  recordOperation(command: string, undoPayload: unknown, changes: readonly Change[]) {
    const { madeWith } = this.context;
    return recordOperation(this.#transaction, { command, undoPayload, changes, madeWith });
  }

  /** A batch and each of its lines, so that no line hides behind others in an entry of bounded size. */
  async appendAudit(entry: AuditEntry): Promise<void> {
    const { request, now } = this.#running;
    const { outcome, operation } = entry;
    const whole = { ...entry, arguments: { ...entry.arguments, ...this.#resolved } };
    // guard: lines-are-audited
    const lines = this.#lines.map((line) => ({ ...line, outcome, ...(operation && { operation }) }));
    const { caller, requestId, callerRequestId } = request;
    const audited = { caller, requestId, callerRequestId, now };
    await appendAudit(this.#transaction, audited, whole, ...lines);
  }

  async #rehearse({ command: path, arguments: given, workspace, as }: Rehearsed): Promise<Rehearsal> {
    const { platform, request } = this.#running;
    const command = platform.catalog.find(path);
    if (!command) throw new ProblemError("conflict", `\`svc ${path}\` no longer exists.`);
    const asked = { command, arguments: given, workspace, dryRun: true, ...runnerOf(as, as.inSession) };
    const call = { ...asked, parts: partsOf(platform.catalog, asked) };
    requireMayRunAll(call);
    const args = parseArguments(command, given);
    const transaction = { ...this.#transaction, actorId: as.actor.id };
    const { db } = transaction;
    // It rolls back to here whatever happens: locks, rows and the actor.
    await sql`savepoint rehearsal`.execute(db);
    try {
      await sql`select set_config('app.actor_id', ${as.actor.id}, true)`.execute(db);
      const caller = { ...request.caller, ...as };
      const running = {
        ...this.#running,
        call,
        request: { ...request, caller },
        memos: new Memos(),
        told: {},
      };
      const unit = await CommandUnit.open(running, transaction, this.context.blobs);
      await command.run(unit.context, args);
      await unit.settle();
      return { does: comparable(unit), digest: await previewDigest(call, args, unit) };
    } finally {
      await sql`rollback to savepoint rehearsal`.execute(db);
    }
  }

  async #runParts(): Promise<PartDone[]> {
    const done: PartDone[] = [];
    const { command, parts } = this.#running.call;
    if (!parts) throw new Error(`${command.path} has no lines here`);
    for (const part of parts()) {
      done.push(await inLine(part.number, part.command.path, () => this.#runPart(part)));
    }
    return done;
  }

  async #runPart({ number, command, arguments: given, workspace }: Part<CommandContext>): Promise<PartDone> {
    const changeId = await this.#nextChange();
    const args = parseArguments(command, given);
    const changes: Change[] = [];
    const line = { ...auditFacts(command, args), line: number, changes };
    this.#lines.push(line);
    let undo: PartUndo | undefined;
    const alone = () => {
      throw new ProblemError("usage", "It cannot be in a batch.", { hint: "Run it by itself." });
    };
    const context = await this.#contextOfPart({
      workspace: workspace ?? this.context.workspace,
      namedWorkspace: workspace,
      isForPeople: false,
      showPeople: () => {},
      // By line, so that an approver's rights to one line say nothing about another.
      recordChange: (change) => {
        changes.push(change);
        this.changes.push(change);
        this.bound.push({ line: number, change });
      },
      bindPreview: (...things) => {
        this.bound.push({ line: number, things });
      },
      recordMade: (kind, id, within) => {
        // guard: new-things-stay-in-their-place
        if (within !== undefined && !this.made.has(within)) this.bound.push({ line: number, within });
        const place = this.made.size;
        this.made.set(id, place).set(encodeId(kind, id), place);
      },
      resolveArgument: (name, value) => {
        line.arguments[name] = value;
      },
      recordUndo: (payload) => {
        const parsed = command.undo?.payload.parse(payload);
        undo = { command: command.path, payload: parsed, changeId, line: number };
      },
      undo: alone,
      rehearse: alone,
    });
    const data = command.result.parse(await command.run(context, args));
    return { command: command.path, data, ...(undo ? { undo } : {}) };
  }

  async #undoParts(parts: readonly PartUndo[], operation: UndoneOperation): Promise<PartUndo[]> {
    const undone: PartUndo[] = [];
    const { path, effect } = this.#running.call.command;
    for (const { command, payload, changeId, line } of parts.toReversed()) {
      const next = await this.#nextChange();
      const changes: Change[] = [];
      // guard: undone-lines-are-audited
      this.#lines.push({ command: path, effect, arguments: { command }, changes, ...(line && { line }) });
      const recordChange = (change: Change) => {
        changes.push(change);
        this.changes.push(change);
      };
      const context = await this.#contextOfPart({ recordChange });
      const redo = await this.#undo(command, payload, { ...operation, changeId }, context);
      undone.push({ command, payload: redo, changeId: next, line });
    }
    return undone;
  }

  /** Rows name the part that changed them, not the batch: only then can each part find what it left. */
  async #nextChange(): Promise<string> {
    const { rows } = await sql<{ id: string }>`
      select set_config('app.change_id', uuidv7()::text, true) as id`.execute(this.#transaction.db);
    const [row] = rows;
    if (!row) throw new Error("the database names no change");
    return row.id;
  }

  /** With its own facts: those that an earlier part has read may no longer hold. */
  async #contextOfPart(own: Partial<CommandContext>): Promise<CommandContext> {
    const { platform, request } = this.#running;
    const { approvalsWait, ...actor } = await currentActor(this.#transaction, request.caller.actor);
    const context: CommandContext = {
      ...this.context,
      ...{ actor, approvalsWait, caller: { ...request.caller, actor } },
      transaction: { ...this.#transaction },
      isPart: true,
      emit: (name, event) => platform.listeners.tell(context, name, event),
      ...own,
    };
    this.#contexts.push(context);
    return context;
  }

  async #undo(
    path: string,
    payload: unknown,
    operation: UndoneOperation,
    context = this.context,
  ): Promise<unknown> {
    const { platform, call } = this.#running;
    const command = platform.catalog.find(path);
    if (!command?.undo) throw new Error(`${path} no longer has an undo`);
    // guard: undo-needs-scopes
    requireMayRun(command, call);
    // guard: undo-of-what-people-approve
    if (needsPerson({ ...call, ...command })) throw leftToPeople(path, "undo");
    // guard: undo-of-what-the-tenant-demands
    if (await this.#isDemanded([command])) throw leftToPeople(path, "undo");
    const parsed = command.undo.payload.safeParse(payload);
    if (!parsed.success) {
      throw new ProblemError("conflict", "An earlier version of the service recorded this operation.", {
        hint: "It can no longer be undone.",
      });
    }
    return command.undo.payload.parse(await command.undo.run(context, parsed.data, operation));
  }
}
