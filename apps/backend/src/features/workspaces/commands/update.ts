import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { changeUndo, undoWorkspace, WorkspaceUndo } from "../undo-workspace.ts";
import {
  changeWorkspace,
  requireRole,
  requireWorkspace,
  WorkspaceTarget,
  WorkspaceView,
  workspaceView,
} from "../workspaces.ts";

export default defineCommand({
  summary: "Change the search settings of a workspace",
  description:
    "With semantic search on, files are also found by meaning once they are embedded: by default once a week, within " +
    "the tenant's budget. Full-text search always finds everything immediately.",
  category: "Workspaces",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["workspaces:write"],
  arguments: z.strictObject({
    target: WorkspaceTarget,
    semanticSearch: z.enum(["on", "off"]).describe("Whether its files are also found by meaning"),
  }),
  positionals: ["target"],
  result: WorkspaceView,
  presentation: {
    as: "text",
    text: ({ name, semanticSearchEnabled }) =>
      semanticSearchEnabled
        ? `Semantic search is on for ${name}. Existing files are queued for embedding; check with \`svc embeddings status\`.`
        : `Semantic search is off for ${name}`,
  },
  examples: [
    { command: "workspaces update marketing --semantic-search on", note: "Also finds its files by meaning" },
  ],
  keywords: ["semantic search on", "enable semantic", "turn on meaning"],
  failures: ["not_found", "conflict"],
  async run(context, { target, semanticSearch }) {
    const workspace = await requireWorkspace(context, target);
    requireRole(context, workspace, "owner");
    const semanticSearchEnabled = semanticSearch === "on";
    await changeWorkspace(context, workspace, { semanticSearchEnabled });
    const switched = { ...workspace, semanticSearchEnabled, version: workspace.version + 1 };
    context.recordChange({
      action: "update",
      type: "workspace",
      id: encodeId("workspace", workspace.id),
      name: workspace.name,
      version: workspace.version,
      before: { semanticSearchEnabled: workspace.semanticSearchEnabled },
      after: { semanticSearchEnabled },
    });
    context.recordUndo(changeUndo(workspace, switched));
    return workspaceView(switched, context.actor);
  },
  undo: { payload: WorkspaceUndo, run: undoWorkspace },
});
