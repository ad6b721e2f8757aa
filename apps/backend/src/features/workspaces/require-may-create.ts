import { ProblemError } from "@svc/protocol/problem";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { readSettings } from "../settings/settings.ts";
import { isMemberSomewhere } from "./workspaces-store.ts";

/** Whoever creates a workspace owns it, and can invite people: the tenant decides who that is. */
export async function requireMayCreate({ transaction, actor }: CommandContext): Promise<void> {
  if (actor.isAdministrator) return;
  const { workspaceCreation } = await readSettings(transaction);
  if (workspaceCreation === "everyone") return;
  if (workspaceCreation === "members" && (await isMemberSomewhere(transaction))) return;
  throw new ProblemError(
    "not_permitted",
    workspaceCreation === "administrators"
      ? "Only administrators can create workspaces."
      : "Only members of a workspace can create workspaces.",
    { hint: "Ask an administrator to create it, or to add you to a workspace." },
  );
}
