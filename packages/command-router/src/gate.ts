import { errorTable } from "@svc/protocol/error-table";
import { ProblemError } from "@svc/protocol/problem";
import type { AuditEntry } from "./audit-entry.ts";
import type { Call } from "./call.ts";
import type { CommandFacts } from "./catalog.ts";
import type { Reach } from "./command.ts";
import { type Decision, decide } from "./decide.ts";
import { requireMayRunAll } from "./require-may-run.ts";

type Passed = Exclude<Decision, { action: "refuse" }>;
type AuditFacts = Pick<AuditEntry, "command" | "effect" | "arguments">;

export interface AuditPort {
  /** In a separate transaction, which survives when the command's is rolled back. */
  auditRefusal(entry: AuditEntry): Promise<void>;
}

/** May this credential run the command at all? Asked before its arguments are looked at. */
export function passGate<Context>(call: Call<Context>, ports: AuditPort): Promise<Passed> {
  const { command } = call;
  return auditRefusals(auditFacts(command, call.arguments), ports, async () => {
    requireMayRunAll(call);
    const decision = decide({ ...call, effect: command.effect, reach: reachOf(call), confirm: call.confirm });
    if (decision.action !== "refuse") return decision;
    throw new ProblemError("confirmation_required", decision.detail, {
      hint: decision.hint,
      next: "preview",
    });
  });
}

/** A batch reaches as far as any of its lines. */
function reachOf<Context>({ command, parts }: Call<Context>): Reach {
  // guard: batches-reach-as-far
  return parts?.().some((part) => part.command.reach === "outward") ? "outward" : command.reach;
}

/** A refused write leaves an audit entry; a refused read does not. */
export async function auditRefusals<T>(
  facts: AuditFacts,
  ports: AuditPort,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (facts.effect !== "read" && isRefusal(error)) {
      await ports.auditRefusal({ ...facts, outcome: "refused", code: error.code });
    }
    throw error;
  }
}

/** Only arguments the command knows, without secrets: unparsed arguments may contain anything. */
export function auditFacts(command: CommandFacts, args: unknown): AuditFacts {
  const given = Object(args) as Record<string, unknown>;
  const givenSpecs = command.specs.filter(({ name }) => Object.hasOwn(given, name));
  return {
    command: command.path,
    effect: command.effect,
    arguments: Object.fromEntries(givenSpecs.map(({ name, secret }) => [name, secret ? "…" : given[name]])),
  };
}

/** A failure of the service (5xx) is not a refusal, even if it has a code. */
function isRefusal(error: unknown): error is ProblemError {
  return error instanceof ProblemError && errorTable[error.code].status < 500;
}
