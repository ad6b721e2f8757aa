import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/command-context.ts";
import { nodeChanged } from "./node-events.ts";
import { nodeChange, relocate, requireAsLeft, spotIn } from "./placing.ts";
import { changeNodeBack, locateFolder } from "./tree.ts";

/** Where a node was before it was moved or renamed, and the version that the operation left. */
export const PlaceUndo = z.object({
  id: z.string(),
  version: z.int(),
  parentId: z.string(),
  name: z.string(),
});

export async function undoPlace(
  context: CommandContext,
  { id, version, parentId, name }: z.output<typeof PlaceUndo>,
): Promise<void> {
  const { node, path, workspace } = await requireAsLeft(context, id, version, "reshape");
  const inWorkspace = { ...context, workspace: encodeId("workspace", workspace.id) };
  const folder = await locateFolder(
    inWorkspace,
    parentId === workspace.id ? "/" : encodeId("folder", parentId),
  );
  const spot = spotIn(folder, name);
  await relocate(context, node, spot, (set) => changeNodeBack(context, node, set));
  context.recordChange(nodeChange("update", node, path, { before: { path }, after: { path: spot.path } }));
  await nodeChanged(context, { kind: "MOVED", node: { ...node, name, version: version - 1 } });
}
