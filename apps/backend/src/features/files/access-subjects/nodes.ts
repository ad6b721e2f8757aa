import { defineAccessSubject } from "../../../platform/commands/access-subjects.ts";
import { sharedWorkspace } from "../../workspaces/workspaces.ts";
import { followList, locate, pathsAbove } from "../tree/tree.ts";

/** Claims nothing: what is not an id of something else is a path. */
export default defineAccessSubject({
  kinds: ["folder", "file"],

  async locate(context, target, lock) {
    const { node, path, workspace } = await locate(context, target, lock);
    if (!node) return sharedWorkspace(workspace);
    const { kind, id, scopeId } = node;
    return { kind, id, name: path, workspaceId: workspace.id, workspaceName: workspace.name, scopeId };
  },

  follow: (context, { id, scopeId: from }, to) => followList(context, id, from, to),

  namesAbove: pathsAbove,
});
