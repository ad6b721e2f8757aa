import { z } from "zod";
import type { Settings } from "./settings-store.ts";

export { readSettings } from "./settings-store.ts";

export const WorkspaceCreation = z
  .enum(["members", "administrators", "everyone"])
  .describe("Who can create workspaces: members of a workspace, administrators only, or every account");

export const SettingsView = z.object({ workspaceCreation: WorkspaceCreation });

const creators = {
  members: "members of at least one workspace",
  administrators: "administrators only",
  everyone: "every account",
} satisfies Record<Settings["workspaceCreation"], string>;

export function settingsText({ workspaceCreation }: Settings): string {
  return `Workspaces can be created by ${creators[workspaceCreation]}.`;
}
