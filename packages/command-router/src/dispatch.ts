import { createHash } from "node:crypto";
import type { Change } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import type { Command } from "./catalog.ts";
import type { ActorKind } from "./command.ts";
import { decide } from "./decide.ts";
import { parseArguments } from "./parse-arguments.ts";

/** One call of one command, from whichever surface. */
export interface Call<Context> {
  command: Command<Context>;
  arguments: unknown;
  actorKind: ActorKind;
  scopes: readonly string[];
  inSession: boolean;
  dryRun: boolean;
  confirm?: string;
  workspace?: string;
  idempotencyKey?: string;
}

export interface Outcome {
  data: unknown;
  committed: boolean;
  preview?: { changes: Change[]; token: string };
  operation?: string;
  /** Answered from an earlier call with the same idempotency key. */
  replayed?: boolean;
}

export interface AuditEntry {
  command: string;
  effect: string;
  arguments: Record<string, unknown>;
  outcome: "committed" | "previewed" | "refused";
  code?: string;
  operation?: string;
  changes?: readonly Change[];
}

/** What a command did inside its transaction, and what dispatch does around it in the same one. */
export interface WriteUnit<Context> {
  context: Context;
  changes: readonly Change[];
  /** What `context.recordUndo` was given, if anything. */
  undoPayload: unknown;
  /** The stored outcome where this key was used before; undefined claims it for this transaction. */
  claimIdempotencyKey(key: string, fingerprint: string): Promise<Outcome | undefined>;
  storeOutcome(key: string, outcome: Outcome): Promise<void>;
  /** Uses up a preview token of this actor; the fingerprint it was given for, or undefined. */
  takePreview(token: string): Promise<string | undefined>;
  recordOperation(command: string, payload: unknown, changes: readonly Change[]): Promise<string>;
  appendAudit(entry: AuditEntry): Promise<void>;
}

/** What dispatch needs from the backend. */
export interface DispatchPorts<Context> {
  read<T>(work: (context: Context) => Promise<T>): Promise<T>;
  /** Commits where `work` returns, rolls back where it throws; effects after commit have run when it resolves. */
  commit<T>(work: (unit: WriteUnit<Context>) => Promise<T>): Promise<T>;
  /** Always rolls back, whatever `work` does. */
  rollback<T>(work: (unit: WriteUnit<Context>) => Promise<T>): Promise<T>;
  /** In a transaction of its own, which stays when the command's is rolled back. */
  auditRefusal(entry: AuditEntry): Promise<void>;
  /** The same for a preview; answers with its single-use token. */
  auditPreview(entry: AuditEntry, fingerprint: string): Promise<string>;
}

/** The one path that every command takes. */
export async function dispatch<Context>(
  call: Call<Context>,
  ports: DispatchPorts<Context>,
): Promise<Outcome> {
  const { command } = call;
  const args = parseArguments(command, call.arguments);
  if (command.effect === "read") {
    requireScopes(call);
    const result = await ports.read((context) => command.run(context, args));
    return { data: command.result.parse(result), committed: false };
  }

  const entry = { command: command.path, effect: command.effect, arguments: withoutSecrets(command, args) };
  try {
    requireScopes(call);
    const decision = decide({ ...call, effect: command.effect, confirm: call.confirm });
    if (decision.action === "refuse") {
      throw new ProblemError("confirmation_required", decision.detail, { hint: decision.hint });
    }
    if (decision.action === "preview") return await preview();
    return await commit(decision.action === "commit" ? decision.previewToken : undefined);
  } catch (error) {
    if (error instanceof ProblemError) {
      await ports.auditRefusal({ ...entry, outcome: "refused", code: error.code });
    }
    throw error;
  }

  async function preview(): Promise<Outcome> {
    const { data, changes } = await ports.rollback(async (unit) => {
      const result = await command.run(unit.context, args);
      return { data: command.result.parse(result), changes: [...unit.changes] };
    });
    const previewed = { ...entry, outcome: "previewed" as const, changes };
    const token = await ports.auditPreview(previewed, previewFingerprint(call, args, changes));
    return { data, committed: false, preview: { changes, token } };
  }

  function commit(previewToken: string | undefined): Promise<Outcome> {
    return ports.commit(async (unit) => {
      const key = call.idempotencyKey;
      const earlier = key && (await unit.claimIdempotencyKey(key, callFingerprint(call, args)));
      if (earlier) return { ...earlier, replayed: true };

      const previewed = previewToken === undefined ? undefined : await unit.takePreview(previewToken);
      if (previewToken !== undefined && previewed === undefined) {
        throw new ProblemError(
          "confirmation_required",
          "This preview token is not known, was used, or has expired.",
          {
            hint: "Run the command again without --confirm for a new preview.",
          },
        );
      }
      const data = command.result.parse(await command.run(unit.context, args));
      if (previewed !== undefined && previewed !== previewFingerprint(call, args, unit.changes)) {
        throw new ProblemError(
          "conflict",
          "What the preview showed is no longer what this command would do.",
          {
            hint: "Run the command again without --confirm for a new preview.",
          },
        );
      }
      const operation =
        command.undo && unit.undoPayload !== undefined
          ? await unit.recordOperation(
              command.path,
              command.undo.payload.parse(unit.undoPayload),
              unit.changes,
            )
          : undefined;
      const outcome = { data, committed: true, ...(operation === undefined ? {} : { operation }) };
      await unit.appendAudit({
        ...entry,
        outcome: "committed",
        changes: unit.changes,
        ...(operation === undefined ? {} : { operation }),
      });
      if (key) await unit.storeOutcome(key, outcome);
      return outcome;
    });
  }
}

function requireScopes({
  command,
  scopes,
}: Pick<Call<never>, "scopes"> & { command: { scopes: readonly string[] } }) {
  if (scopes.includes("*")) return;
  const missing = command.scopes.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return;
  throw new ProblemError("not_permitted", `This credential lacks the scope ${missing.join(", ")}.`, {
    hint: "An administrator can issue a token that has it.",
  });
}

function withoutSecrets(command: { specs: Command["specs"] }, args: Record<string, unknown>) {
  const secret = new Set(command.specs.filter((spec) => spec.secret).map((spec) => spec.name));
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, secret.has(name) ? "…" : value]),
  );
}

function callFingerprint(call: Call<never> | Call<unknown>, args: unknown): string {
  return sha256([call.command.path, args, call.workspace ?? null, call.dryRun, call.confirm ?? null]);
}

/** Binds a preview to command, arguments and the versions of the rows that it would touch. */
function previewFingerprint(
  call: Call<never> | Call<unknown>,
  args: unknown,
  changes: readonly Change[],
): string {
  return sha256([call.command.path, args, call.workspace ?? null, changes]);
}

function sha256(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}
