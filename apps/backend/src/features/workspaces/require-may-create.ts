import { ProblemError } from "@svc/protocol/problem";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { readSettings } from "../settings/settings.ts";
import { isMemberSomewhere } from "./workspaces-store.ts";

/** The creator of a workspace owns it and can invite people, so the tenant decides who can create one. */
export async function requireMayCreate({ transaction, actor }: CommandContext): Promise<void> {
  if (actor.isAdministrator) return;
  // It would belong to the AI member alone, and the session could not even see it.
  // guard: sessions-create-no-workspaces
  if (actor.onBehalfOf) {
    throw new ProblemError("not_permitted", "A session cannot create workspaces.", {
      hint: `Ask ${actor.onBehalfOf.name} to create it, and to add you to it.`,
    });
  }
  const { workspaceCreation } = await readSettings(transaction);
  if (workspaceCreation === "everyone") return;
  if (workspaceCreation === "members" && (await isMemberSomewhere(transaction))) return;
  throw new ProblemError(
    "not_permitted",
    workspaceCreation === "administrators"
      ? "Only administrators can create workspaces."
      : "Only members of a workspace can create workspaces.",
    { hint: "Ask an administrator to create the workspace, or to add you to one." },
  );
}
