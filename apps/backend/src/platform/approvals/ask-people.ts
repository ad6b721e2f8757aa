import type { Call } from "@svc/command-router/call";
import { changedSincePreview, forNewPreview, type Wanted } from "@svc/command-router/dispatch";
import type { TenantTransaction } from "@svc/database/database";
import type { Change } from "@svc/protocol/exchange";
import { pointTo } from "@svc/protocol/next";
import { ProblemError } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import { changeText } from "@svc/rendering/change-text";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import { type Approval, insertApproval, insertQuestion } from "./approvals-store.ts";
import { findPreview } from "./preview-token.ts";

const mostShown = 4_096;

interface Asking {
  call: Pick<Call<never>, "arguments" | "workspace" | "inSession" | "scopes"> & { command: { path: string } };
  /** The credential that asks; it cannot answer. */
  askedWith: string;
  madeWith: string;
  previewToken: string;
}

/** Asks people once about one preview. */
export async function askPeople(
  transaction: TenantTransaction,
  { call, askedWith, madeWith, previewToken }: Asking,
  wanted: Wanted,
): Promise<Approval> {
  const { command } = call;
  if ((await findPreview(transaction, previewToken, madeWith)) !== wanted.fingerprint) {
    throw changedSincePreview();
  }
  const asked = await insertApproval(transaction, previewToken, {
    askedWith,
    inSession: call.inSession,
    scopes: [...call.scopes],
    command: command.path,
    arguments: call.arguments,
    workspace: call.workspace ?? null,
    workspaceIds: [...wanted.workspaceIds],
    shown: whatPeopleRead(call, wanted.changes),
    digest: wanted.fingerprint,
  });
  if (asked) return asked;
  throw tooManyWait();
}

interface Question {
  question: string;
  choices: readonly string[];
  workspaceIds: readonly string[];
}

/** Asks people something in words; returns the id of the question. */
export async function askInWords(
  transaction: TenantTransaction,
  { call, askedWith }: Pick<Asking, "call" | "askedWith">,
  { question, choices, workspaceIds }: Question,
): Promise<string> {
  const id = await insertQuestion(transaction, {
    askedWith,
    inSession: call.inSession,
    scopes: [...call.scopes],
    command: call.command.path,
    arguments: { question, choices },
    workspace: call.workspace ?? null,
    workspaceIds: [...workspaceIds],
    shown: whole(
      [...question.split("\n"), ...choices.map((choice) => `- ${choice}`)],
      "This question is too long.",
      "Shorten it, or ask in parts.",
    ),
  });
  if (id === undefined) throw tooManyWait();
  return id;
}

function tooManyWait(): ProblemError {
  return new ProblemError(
    "too_many_requests",
    "Too many of your questions are waiting for an answer.",
    pointTo({ command: "approvals list" }, "to see them, and wait until somebody has decided."),
  );
}

/** What the asking actor is told until a person has decided, and if they said no. */
export function stateOfApproval({ id, state, reason, expiresAt }: Approval): ProblemError {
  const name = encodeId("approval", id);
  if (state === "pending") {
    return new ProblemError("approval_pending", `A person has to approve this: ${name}.`, {
      hint: `Run the same line again once \`svc approvals show ${name}\` says that it is approved; it waits until ${expiresAt.toISOString()}.`,
      next: { command: "approvals show", arguments: { approval: name } },
    });
  }
  if (state === "approved") {
    return new ProblemError("approval_pending", `${name} was approved in this moment.`, {
      hint: "Run the same line again.",
    });
  }
  if (state === "denied") {
    // Somebody else's words, on one line, so that they cannot pass for another line of ours.
    const why = reason === null ? "without a reason" : `\`${toTerminalLine(reason)}\``;
    return new ProblemError("approval_denied", `A person said no: ${why}`, {
      hint: `\`svc approvals show ${name}\` shows who decided.`,
      next: { command: "approvals show", arguments: { approval: name } },
    });
  }
  return new ProblemError(
    "confirmation_required",
    `The approval ${name} cannot be used: ${state}.`,
    forNewPreview,
  );
}

/** Lines without control characters. The arguments are the agent's words. */
function whatPeopleRead(
  { command, arguments: given, workspace }: Asking["call"],
  changes: readonly Change[],
): string {
  const words = { ...Object(given), ...(workspace === undefined ? {} : { workspace }) };
  return whole(
    [
      `svc ${command.path}`,
      ...Object.entries(words).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`),
      "It would",
      ...changes.map((change) => `  ${change.action} ${changeText(change)}`),
    ],
    "This is too much for a person to approve at once.",
    "Do it in parts.",
  );
}

/** All of it, or nothing: nobody can approve what they cannot read. */
function whole(lines: readonly string[], otherwise: string, hint: string): string {
  const shown = lines.map(toTerminalLine).join("\n");
  if (Buffer.byteLength(shown) <= mostShown) return shown;
  throw new ProblemError("too_large", otherwise, { hint });
}
