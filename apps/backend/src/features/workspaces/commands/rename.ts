import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import { defineCommand } from "../../../platform/define-command.ts";
import {
  changeWorkspace,
  requireRole,
  requireUnchanged,
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
  scopes: ["workspaces:write"],
  arguments: z.strictObject({ target: WorkspaceTarget, name: WorkspaceName.describe("The new name") }),
  positionals: ["target", "name"],
  result: WorkspaceView,
  presentation: { as: "text", text: ({ name, slug }) => `Renamed to ${name} (${slug})` },
  examples: [
    { command: "workspaces rename marketing Growth", note: "The slug follows the name; the id stays" },
  ],
  failures: ["not_found", "conflict"],
  async run(context, { target, name }) {
    const workspace = await requireWorkspace(context, target);
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
    context.recordUndo({
      id: workspace.id,
      version: workspace.version + 1,
      name: workspace.name,
      slug: workspace.slug,
    });
    return workspaceView({ ...workspace, name, slug }, context.actor);
  },
  undo: {
    payload: z.object({ id: z.string(), version: z.int(), name: z.string(), slug: z.string() }),
    async run(context, { id, version, name, slug }) {
      const workspace = await requireUnchanged(context, id, version);
      await changeWorkspace(context, workspace, { name, slug, version: version - 1 });
      context.recordChange({
        action: "update",
        type: "workspace",
        id: encodeId("workspace", id),
        name: workspace.name,
        version,
        before: { name: workspace.name, slug: workspace.slug },
        after: { name, slug },
      });
    },
  },
});
