import { dequeueWorkspace, enqueueWorkspace } from "@svc/search/embedding-queue";
import { defineListener } from "../../../platform/listeners.ts";
import { lockTree } from "../../files/files.ts";

/**
 * On: what is there awaits embedding. Off: nothing does any more. Alone in the workspace: whoever puts a file in meanwhile
 * may have read the old setting, and neither would enqueue it.
 */
export default defineListener({
  event: "SemanticSearchSwitchedEvent",
  async run(context, { workspaceId, isEnabled }) {
    await lockTree(context, workspaceId, "reshape");
    if (isEnabled) await enqueueWorkspace(context.transaction, workspaceId);
    else await dequeueWorkspace(context.transaction, workspaceId);
  },
});
