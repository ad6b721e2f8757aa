import type { Change } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import { parseArguments } from "./arguments/parse-arguments.ts";
import type { AuditEntry } from "./audit-entry.ts";
import type { Call } from "./call.ts";
import type { Decision } from "./decide.ts";
import { type Done, fingerprintOf, previewDigest, shownChanges } from "./fingerprint.ts";
import { type AuditPort, auditFacts, auditRefusals, passGate } from "./gate.ts";
import { WaitFirst } from "./wait-first.ts";

export interface Outcome {
  data: unknown;
  committed: boolean;
  preview?: { changes: Change[]; token: string };
  operation?: string;
  /** What people read instead of `data`, if that differs. */
  shown?: Shown;
  /** The end of that id, as far as its actor needs it to name it; absent in answers that an earlier version stored. */
  operationEnd?: string;
  /** Answered from an earlier call with the same idempotency key. */
  replayed?: boolean;
}

/** Paths as people can type them. Programs get `data`, where each is a path in its workspace. */
export interface Shown {
  data: unknown;
  /** Belongs before the paths of changes: `marketing:`, or nothing. */
  prefix: string;
}

/** What a command did in its transaction, and what dispatch adds in the same transaction. */
export interface WriteUnit<Context> extends Done {
  context: Context;
  /** Work that the command deferred to the end of its open transaction. */
  settle(): Promise<void>;
  /** What `context.recordUndo` was given, if anything. */
  undoPayload: unknown;
  /** The stored outcome if this key was used before; otherwise claims it for this transaction. */
  claimKey(key: AnswerKey, fingerprint: string): Promise<Outcome | undefined>;
  storeOutcome(key: AnswerKey, outcome: Outcome): Promise<void>;
  /** Consumes a preview token of this actor; returns its fingerprint, or undefined. */
  takePreview(token: string): Promise<string | undefined>;
  /** Workspaces that the command has looked into so far. */
  workspacesUsed(): Promise<string[]>;
  /** Whether a rule of the tenant demands a person's approval, beyond those that `decide` knows. */
  demandsPerson(): Promise<boolean>;
  /** Uses up the approval of what this preview showed; false if no person has approved it. */
  takeApproval(token: string): Promise<boolean>;
  recordOperation(
    command: string,
    payload: unknown,
    changes: readonly Change[],
  ): Promise<{ id: string; end: string }>;
  appendAudit(entry: AuditEntry): Promise<void>;
}

/** What dispatch needs from the backend. */
export interface DispatchPorts<Context> extends AuditPort {
  read<T>(work: (context: Context) => Promise<T>): Promise<T>;
  /** Commits if `work` returns, rolls back if it throws; effects after commit have run when it resolves. */
  commit<T>(work: (unit: WriteUnit<Context>) => Promise<T>): Promise<T>;
  /** Always rolls back, whatever `work` does. */
  rollback<T>(work: (unit: WriteUnit<Context>) => Promise<T>): Promise<T>;
  /** What the command wants people to read, if it said so. */
  shown(): Shown | undefined;
  /** Like `auditRefusal`, for a preview; returns its single-use token. */
  auditPreview(entry: AuditEntry, fingerprint: string): Promise<string>;
  /** Asks people to approve what this preview showed, once. Throws what its actor is told meanwhile. */
  askPeople(previewToken: string, rehearse: () => Promise<Wanted>): Promise<never>;
}

/** Under which an outcome is stored, so that a repeated call gets it. */
export type AnswerKey = { idempotencyKey: string } | { previewToken: string };

/** What a person is asked to approve. */
export interface Wanted {
  changes: readonly Change[];
  fingerprint: string;
  workspaceIds: readonly string[];
}

/** With --dry-run, not just without --confirm: that would commit for everybody but an AI member. */
export const forNewPreview = {
  hint: "Run the command again with --dry-run for a new preview.",
  next: "preview",
} as const;

export function changedSincePreview(): ProblemError {
  return new ProblemError("conflict", "The changes are no longer those of the preview.", forNewPreview);
}

/** The one path that every command takes. */
export async function dispatch<Context>(
  call: Call<Context>,
  ports: DispatchPorts<Context>,
): Promise<Outcome> {
  const { command } = call;
  const decision = await passGate(call, ports);
  if (call.onlyRepeat && decision.action !== "commit") throw filesGone();
  const args = parseArguments(command, call.arguments, call.words);
  if (decision.action === "run") {
    const result = await untilDone(() => ports.read((context) => command.run(context, args)));
    return { data: command.result.parse(result), committed: false, ...shown() };
  }

  const entry = auditFacts(command, args);
  return auditRefusals(entry, ports, () => (decision.action === "preview" ? preview() : commit(decision)));

  /** Everything that a commit does, and then nothing of it. */
  function rehearse() {
    // guard: previews-roll-back
    return ports.rollback(async (unit) => {
      const result = await command.run(unit.context, args);
      await unit.settle();
      return {
        data: command.result.parse(result),
        changes: shownChanges(unit),
        workspaceIds: await unit.workspacesUsed(),
        digest: await previewDigest(call, args, unit),
      };
    });
  }

  async function preview(): Promise<Outcome> {
    const { data, changes, digest } = await rehearse();
    const previewed = { ...entry, outcome: "previewed" as const, changes };
    const token = await ports.auditPreview(previewed, digest);
    return { data, committed: false, preview: { changes, token }, ...shown() };
  }

  async function commit({ previewToken, needsApproval }: Committing): Promise<Outcome> {
    try {
      return await commitOnce(previewToken, needsApproval);
    } catch (error) {
      if (!(error instanceof NotApproved && previewToken !== undefined)) throw error;
      return ports.askPeople(previewToken, async () => {
        const { changes, workspaceIds, digest } = await rehearse();
        return { changes, fingerprint: digest, workspaceIds };
      });
    }
  }

  function commitOnce(previewToken: string | undefined, needsApproval = false): Promise<Outcome> {
    const { idempotencyKey } = call;
    // A lost answer can be asked for again by the same line, because a token commits once.
    const keys: AnswerKey[] = [
      ...(previewToken === undefined ? [] : [{ previewToken }]),
      ...(idempotencyKey === undefined ? [] : [{ idempotencyKey }]),
    ];
    return ports.commit(async (unit) => {
      const asked = fingerprintOf(call, args, call.dryRun, call.confirm ?? null);
      // guard: repeats-get-the-answer
      for (const key of keys) {
        const earlier = await unit.claimKey(key, asked);
        if (earlier) return { ...earlier, replayed: true };
      }
      if (call.onlyRepeat) throw filesGone();

      const previewed = previewToken === undefined ? undefined : await unit.takePreview(previewToken);
      if (previewToken !== undefined && previewed === undefined) {
        const detail = "This preview token is unknown or expired.";
        throw new ProblemError("confirmation_required", detail, forNewPreview);
      }
      // guard: rules-of-the-tenant
      const isDemanded = await unit.demandsPerson();
      // guard: approvals-are-used
      if (
        previewToken !== undefined &&
        (needsApproval || isDemanded) &&
        !(await unit.takeApproval(previewToken))
      ) {
        throw new NotApproved();
      }
      const data = command.result.parse(await command.run(unit.context, args));
      await unit.settle();
      // guard: as-previewed
      if (previewed !== undefined && previewed !== (await previewDigest(call, args, unit))) {
        throw changedSincePreview();
      }
      const recorded =
        command.undo && unit.undoPayload !== undefined
          ? await unit.recordOperation(
              command.path,
              command.undo.payload.parse(unit.undoPayload),
              unit.changes,
            )
          : undefined;
      const outcome: Outcome = { data, committed: true, ...shown() };
      if (recorded) Object.assign(outcome, { operation: recorded.id, operationEnd: recorded.end });
      await unit.appendAudit({
        ...entry,
        outcome: "committed",
        changes: unit.changes,
        ...(recorded === undefined ? {} : { operation: recorded.id }),
      });
      for (const key of keys) await unit.storeOutcome(key, outcome);
      return outcome;
    });
  }

  function shown(): Pick<Outcome, "shown"> {
    const found = ports.shown();
    return found ? { shown: { ...found, data: command.result.parse(found.data) } } : {};
  }
}

type Committing = Extract<Decision, { action: "commit" }>;

/** Rolls back a commit that a person has to approve first. */
class NotApproved extends Error {}

async function untilDone<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof WaitFirst)) throw error;
      await error.wait();
    }
  }
}

function filesGone(): ProblemError {
  return new ProblemError("conflict", "The files of this call were already used.", {
    hint: "Run the command again to send them again.",
  });
}
