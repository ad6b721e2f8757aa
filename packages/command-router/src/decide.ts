import type { ActorKind, Effect } from "./command.ts";

export interface Question {
  effect: Effect;
  actorKind: ActorKind;
  /** The call has a session ticket: it is an AI member's session, whoever owns the credential. It can only tighten. */
  inSession: boolean;
  dryRun: boolean;
  /** As given with --confirm: `true`, `false`, or the token of an earlier preview. */
  confirm: string | undefined;
}

export type Decision =
  | { action: "run" }
  | { action: "commit"; previewToken?: string }
  | { action: "preview" }
  | { action: "refuse"; detail: string; hint: string };

/** Does this call commit, preview, or get refused? The only place that knows; clients have no say beyond tightening. */
export function decide({ effect, actorKind, inSession, dryRun, confirm }: Question): Decision {
  if (effect === "read") return { action: "run" };
  if (dryRun || confirm === "false") return { action: "preview" };

  const previewToken = confirm === undefined || confirm === "true" ? undefined : confirm;
  if (previewToken !== undefined) return { action: "commit", previewToken };

  if (actorKind === "ai" || inSession) {
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
