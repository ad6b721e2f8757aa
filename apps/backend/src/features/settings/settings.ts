import { z } from "zod";
import type { Settings } from "./settings-store.ts";

export { readSettings } from "./settings-store.ts";

export const WorkspaceCreation = z
  .enum(["members", "administrators", "everyone"])
  .describe("Who can create workspaces: members of a workspace, administrators only, or every account");

export const SettingsView = z.object({
  workspaceCreation: WorkspaceCreation,
  approvalsFor: z
    .array(z.string())
    .describe("Commands and groups for which AI members also need an approval"),
  approvalMinutes: z.int().describe("Minutes that a question waits for an answer"),
});

const creators = {
  members: "members of at least one workspace",
  administrators: "administrators only",
  everyone: "every account",
} satisfies Record<Settings["workspaceCreation"], string>;

export function settingsText({ workspaceCreation, approvalsFor, approvalMinutes }: Settings): string {
  return [
    `Workspaces can be created by ${creators[workspaceCreation]}.`,
    `AI members need an approval for what cannot be undone and what changes access${approvalsFor.length === 0 ? "" : `, and for ${approvalsFor.join(", ")}`}.`,
    `A question waits ${approvalMinutes} minutes for an answer.`,
  ].join("\n");
}
