import { z } from "zod";
import type { CommandContext } from "../../platform/command-context.ts";
import { nodeChanged } from "./node-events.ts";
import { nodeChange, requireAsLeft } from "./placing.ts";
import { changeNode } from "./tree.ts";

/** What an operation made, and the version that it left. */
export const CreationUndo = z.object({ id: z.string(), version: z.int() });

/** What was made goes to the trash, with all below it: nothing that somebody put there since is lost. */
export async function undoCreation(
  context: CommandContext,
  { id, version }: z.output<typeof CreationUndo>,
): Promise<void> {
  const { node, path } = await requireAsLeft(context, id, version);
  await changeNode(context, node, { trashedAt: context.now });
  context.recordChange(nodeChange("delete", node, path));
  await nodeChanged(context, { kind: "TRASHED", node });
}
