import { indexLater } from "../../../platform/commands/index-documents.ts";
import { defineListener } from "../../../platform/commands/listeners.ts";
import workspaces from "../search-sources/workspaces.ts";

/** A trashed workspace and everything in it cannot be found: a search looks only into live workspaces. */
export default defineListener({
  event: "WorkspaceChangedEvent",
  async run(context, { kind, workspaceId }) {
    if (kind === "CREATED") await workspaces.placeAll?.(context.transaction, workspaceId);
    indexLater(context, workspaces, [workspaceId]);
  },
});
