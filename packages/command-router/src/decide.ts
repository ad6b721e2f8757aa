import type { CommandFacts } from "./catalog.ts";
import type { ActorKind, Effect, Reach } from "./command.ts";

export interface Question {
  effect: Effect;
  reach: Reach;
  actorKind: ActorKind;
  /** The call has a session ticket: it is an AI member's session, whoever owns the credential. It can only tighten. */
  inSession: boolean;
  dryRun: boolean;
  /** As given with --confirm: `true`, `false`, or the token of an earlier preview. */
  confirm: string | undefined;
}

export type Decision =
  | { action: "run" }
  /** With a token, it commits what that preview showed; `needsApproval` if a person has to approve exactly that. */
  | { action: "commit"; previewToken?: string; needsApproval?: true }
  | { action: "preview" }
  | { action: "refuse"; detail: string; hint: string };

/**
 * Does this call commit, preview, or get refused? The only place that knows; clients have no say beyond tightening, and a
 * tenant's settings can only demand more approvals.
 */
export function decide(question: Question): Decision {
  const { effect, dryRun, confirm } = question;
  if (effect === "read") return { action: "run" };
  if (dryRun || confirm === "false") return { action: "preview" };

  const previewToken = confirm === undefined || confirm === "true" ? undefined : confirm;
  if (previewToken !== undefined) {
    return { action: "commit", previewToken, ...(needsPerson(question) ? { needsApproval: true } : {}) };
  }
  // guard: agents-need-tokens
  if (isAi(question)) {
    if (confirm === undefined) return { action: "preview" };
    return {
      action: "refuse",
      detail: "AI members confirm with the token of a preview.",
      hint: "Run the command without --confirm, then again with --confirm and the preview's token.",
    };
  }
  if (effect === "destroy" && confirm === undefined) {
    return {
      action: "refuse",
      detail: "This cannot be undone.",
      hint: "Preview it with --dry-run; go ahead with --confirm true.",
    };
  }
  return { action: "commit" };
}

export function isAi({ actorKind, inSession }: Pick<Question, "actorKind" | "inSession">): boolean {
  return actorKind === "ai" || inSession;
}

/** An AI member confirms its own previews, so a token alone proves nothing about a person's consent. */
export function needsPerson(
  question: Pick<Question, "effect" | "reach" | "actorKind" | "inSession">,
): boolean {
  // guard: people-approve
  return isAi(question) && isGrave(question);
}

/** What cannot be undone, or changes who gets in. */
export function isGrave({ effect, reach }: Pick<Question, "effect" | "reach">): boolean {
  return effect === "destroy" || reach === "outward";
}

/** The same before anybody knows its lines, if it holds any. */
export function canBeGrave(command: Pick<CommandFacts, "effect" | "reach" | "holdsLines">): boolean {
  return command.holdsLines === true || isGrave(command);
}
