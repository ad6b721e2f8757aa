import { indexLater } from "../../../platform/commands/index-documents.ts";
import { defineListener } from "../../../platform/commands/listeners.ts";
import workspaces from "../search-sources/workspaces.ts";

/** In the trash it is found by nobody, and nothing in it: a search looks into workspaces that are there. */
export default defineListener({
  event: "WorkspaceChangedEvent",
  async run(context, { kind, workspaceId }) {
    if (kind === "CREATED") await workspaces.placeAll?.(context.transaction, workspaceId);
    indexLater(context, workspaces, [workspaceId]);
  },
});
