import { exactTimeIn } from "@svc/rendering/view";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import {
  currentWorkspace,
  requireWorkspace,
  WorkspaceTarget,
  WorkspaceView,
  workspaceView,
} from "../workspaces.ts";

export default defineCommand({
  summary: "Show one workspace",
  description: "Without a target, shows the current workspace.",
  category: "Workspaces",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["workspaces:read"],
  arguments: z.strictObject({ target: WorkspaceTarget.optional() }),
  positionals: ["target"],
  shows: "workspace",
  result: WorkspaceView,
  presentation: {
    as: "text",
    text: (workspace, view) =>
      [
        workspace.name,
        `Id               ${workspace.id}`,
        `Slug             ${workspace.slug}`,
        `Your role        ${workspace.role}`,
        `Semantic search  ${workspace.semanticSearchEnabled ? "on" : "off"}`,
        `Created          ${exactTimeIn(view, workspace.createdAt)}`,
      ].join("\n"),
  },
  examples: [{ command: "workspaces get marketing", note: "By slug; id and name work too" }],
  keywords: ["workspace details", "my role", "one workspace", "who owns", "when created", "about workspace"],
  failures: ["not_found", "usage"],
  async run(context, { target }) {
    const workspace = await (target === undefined
      ? currentWorkspace(context)
      : requireWorkspace(context, target));
    return workspaceView(workspace, context.actor);
  },
});
