import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../../platform/command-context.ts";
import { defineCommand } from "../../../platform/define-command.ts";
import {
  changeWorkspace,
  requireRole,
  requireUnchanged,
  requireWorkspace,
  type Workspace,
  WorkspaceTarget,
  WorkspaceView,
  workspaceView,
} from "../workspaces.ts";

export default defineCommand({
  summary: "Change how a workspace is searched",
  description:
    "With semantic search on, its files are also found by meaning, once they are embedded: by default once a week, within " +
    "the tenant's budget. Full-text search finds everything at once either way.",
  category: "Workspaces",
  effect: "write",
  scopes: ["workspaces:write"],
  arguments: z.strictObject({
    target: WorkspaceTarget,
    semanticSearch: z.enum(["on", "off"]).describe("Whether its files are found by meaning too"),
  }),
  positionals: ["target"],
  result: WorkspaceView,
  presentation: {
    as: "text",
    text: ({ name, semanticSearchEnabled }) =>
      semanticSearchEnabled
        ? `Semantic search is on for ${name}. What is there awaits embedding: svc embeddings status`
        : `Semantic search is off for ${name}`,
  },
  examples: [
    { command: "workspaces update marketing --semantic-search on", note: "Find its files by meaning too" },
  ],
  failures: ["not_found", "conflict"],
  async run(context, { target, semanticSearch }) {
    const workspace = await requireWorkspace(context, target);
    requireRole(context, workspace, "owner");
    const isEnabled = semanticSearch === "on";
    await switchTo(context, workspace, isEnabled);
    const { id, version, semanticSearchEnabled: wasEnabled } = workspace;
    context.recordUndo({ id, version: version + 1, wasEnabled });
    return workspaceView({ ...workspace, semanticSearchEnabled: isEnabled }, context.actor);
  },
  undo: {
    payload: z.object({ id: z.string(), version: z.int(), wasEnabled: z.boolean() }),
    async run(context, { id, version, wasEnabled }) {
      const workspace = await requireUnchanged(context, id, version);
      await switchTo(context, workspace, wasEnabled, version - 1);
    },
  },
});

async function switchTo(
  context: CommandContext,
  workspace: Workspace,
  isEnabled: boolean,
  version?: number,
): Promise<void> {
  await changeWorkspace(context, workspace, {
    semanticSearchEnabled: isEnabled,
    ...(version === undefined ? {} : { version }),
  });
  context.recordChange({
    action: "update",
    type: "workspace",
    id: encodeId("workspace", workspace.id),
    name: workspace.name,
    version: workspace.version,
    before: { semanticSearchEnabled: workspace.semanticSearchEnabled },
    after: { semanticSearchEnabled: isEnabled },
  });
}
