import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { changeUndo, undoWorkspace, WorkspaceUndo } from "../undo-workspace.ts";
import {
  changeWorkspace,
  requireRole,
  requireWorkspace,
  toSlug,
  WorkspaceName,
  WorkspaceTarget,
  WorkspaceView,
  workspaceView,
} from "../workspaces.ts";

export default defineCommand({
  summary: "Rename a workspace",
  category: "Workspaces",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["workspaces:write"],
  arguments: z.strictObject({ target: WorkspaceTarget, name: WorkspaceName.describe("The new name") }),
  positionals: ["target", "name"],
  result: WorkspaceView,
  presentation: { as: "text", text: ({ name, slug }) => `Renamed to ${name} (${slug})` },
  examples: [
    { command: "workspaces rename marketing Growth", note: "The slug follows the name; the id stays" },
  ],
  keywords: ["change workspace name", "retitle project", "call it", "different name"],
  failures: ["not_found", "conflict"],
  async run(context, { target, name }) {
    const workspace = await requireWorkspace(context, target);
    // guard: renaming-workspaces-needs-owner
    requireRole(context, workspace, "owner");
    const slug = toSlug(name);
    await changeWorkspace(context, workspace, { name, slug });
    context.recordChange({
      action: "update",
      type: "workspace",
      id: encodeId("workspace", workspace.id),
      name: workspace.name,
      version: workspace.version,
      before: { name: workspace.name, slug: workspace.slug },
      after: { name, slug },
    });
    const renamed = { ...workspace, name, slug, version: workspace.version + 1 };
    context.recordUndo(changeUndo(workspace, renamed));
    return workspaceView(renamed, context.actor);
  },
  undo: { payload: WorkspaceUndo, run: undoWorkspace },
});
