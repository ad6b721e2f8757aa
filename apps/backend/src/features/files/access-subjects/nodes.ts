import { defineAccessSubject } from "../../../platform/commands/access-subjects.ts";
import { sharedWorkspace } from "../../workspaces/workspaces.ts";
import { addressOf, followList, locate, pathsAbove } from "../tree/tree.ts";

/** Claims nothing: what is not an id of something else is a path. */
export default defineAccessSubject({
  kinds: ["folder", "file"],

  async locate(context, target, lock) {
    const place = await locate(context, target, lock);
    const { node, path, workspace } = place;
    if (!node) return sharedWorkspace(workspace);
    const { kind, id, scopeId } = node;
    const names = { name: path, typed: addressOf(place), workspaceName: workspace.name };
    return { kind, id, ...names, workspaceId: workspace.id, scopeId };
  },

  follow: (context, { id, scopeId: from }, to) => followList(context, id, from, to),

  namesAbove: pathsAbove,
});
