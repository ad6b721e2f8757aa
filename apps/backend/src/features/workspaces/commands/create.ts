import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireMayCreate } from "../require-may-create.ts";
import { creationUndo, undoWorkspace, WorkspaceUndo } from "../undo-workspace.ts";
import { requireFreeSlug, toSlug, WorkspaceName, WorkspaceView, workspaceView } from "../workspaces.ts";
import { insertWorkspace } from "../workspaces-store.ts";

export default defineCommand({
  summary: "Create a workspace and become its owner",
  description: "`settings set --workspace-creation` controls who can create workspaces.",
  category: "Workspaces",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["workspaces:write"],
  arguments: z.strictObject({ name: WorkspaceName.describe("Display name") }),
  positionals: ["name"],
  result: WorkspaceView,
  presentation: { as: "text", text: ({ name, slug, id }) => `Created workspace ${name} (${slug}, ${id})` },
  examples: [{ command: 'workspaces create "Field Research"', note: "Its slug will be field-research" }],
  keywords: ["new project", "new space", "team space", "separate area", "new area", "start project"],
  failures: ["conflict"],
  async run(context, { name }) {
    await requireMayCreate(context);
    const slug = toSlug(name);
    await requireFreeSlug(context, slug);
    const workspace = await insertWorkspace(context.transaction, { name, slug });
    await context.emit("WorkspaceChangedEvent", { kind: "CREATED", workspaceId: workspace.id });
    context.recordChange({ action: "create", type: "workspace", name, after: { slug } });
    context.recordMade("workspace", workspace.id);
    context.recordUndo(creationUndo(workspace));
    return workspaceView(workspace, context.actor);
  },
  undo: {
    payload: WorkspaceUndo,
    async run(context, payload, operation) {
      if (payload.left.isTrashed) await requireMayCreate(context);
      return undoWorkspace(context, payload, operation);
    },
  },
});
