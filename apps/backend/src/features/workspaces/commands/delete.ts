import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { changeUndo, undoWorkspace, WorkspaceUndo } from "../undo-workspace.ts";
import { changeWorkspace, lockTree, requireRole, requireWorkspace, WorkspaceTarget } from "../workspaces.ts";

export default defineCommand({
  summary: "Move a workspace to the trash",
  description: "Commits immediately, like Unix `rm`. To get it back, use `undo`.",
  category: "Workspaces",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["workspaces:write"],
  arguments: z.strictObject({ target: WorkspaceTarget }),
  positionals: ["target"],
  result: z.object({ id: z.string(), name: z.string() }),
  presentation: { as: "text", text: ({ name }) => `Moved workspace ${name} to the trash` },
  examples: [
    { command: "workspaces delete old-project", note: "Moves it to the trash" },
    { command: "workspaces delete old-project --dry-run", note: "Shows what would change" },
  ],
  keywords: ["remove project", "remove space", "close"],
  failures: ["not_found", "conflict"],
  async run(context, { target }) {
    const named = await requireWorkspace(context, target);
    requireRole(context, named, "owner");
    // guard: workspaces-go-alone
    await lockTree(context, named.id, "reshape");
    const workspace = await requireWorkspace(context, encodeId("workspace", named.id));
    requireRole(context, workspace, "owner");
    await changeWorkspace(context, workspace, { trashedAt: context.now });
    const id = encodeId("workspace", workspace.id);
    context.recordChange({
      action: "delete",
      type: "workspace",
      id,
      name: workspace.name,
      version: workspace.version,
    });
    const deleted = { ...workspace, trashedAt: context.now, version: workspace.version + 1 };
    context.recordUndo(changeUndo(workspace, deleted));
    return { id, name: workspace.name };
  },
  undo: { payload: WorkspaceUndo, run: undoWorkspace },
});
