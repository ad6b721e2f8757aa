import { dequeueWorkspace, enqueueWorkspace } from "@svc/search/vectors/embedding-queue";
import { defineListener } from "../../../platform/commands/listeners.ts";
import { lockTree } from "../../workspaces/workspaces.ts";
import { dropLater, keepAfterAll } from "../drop-vectors.ts";
import { haveRuns } from "../run-store.ts";

/**
 * On: queues existing files for embedding. Off: empties the queue, and vectors are dropped later. Exclusive in the
 * workspace: a concurrent put may have read the old setting, and neither would queue the file.
 */
export default defineListener({
  event: "SemanticSearchSwitchedEvent",
  async run(context, { workspaceId, isEnabled }) {
    const { transaction } = context;
    await lockTree(context, workspaceId, "reshape");
    if (isEnabled) {
      await keepAfterAll(transaction, workspaceId);
      await enqueueWorkspace(transaction, workspaceId);
      await haveRuns(transaction);
    } else {
      await dequeueWorkspace(transaction, workspaceId);
      await dropLater(transaction, workspaceId);
    }
  },
});
