import { enqueueFiles } from "@svc/search/vectors/embedding-queue";
import { CommandBatch } from "../../../platform/commands/command-batch.ts";
import { defineListener } from "../../../platform/commands/listeners.ts";

const changed = new CommandBatch();

/**
 * Queues files with new content for embedding if their workspace has semantic search: many at once, at the end of the
 * command.
 */
export default defineListener({
  event: "NodeChangedEvent",
  async run(context, { kind, nodeKind, nodeId }) {
    if (nodeKind !== "file" || (kind !== "CREATED" && kind !== "CONTENT_CHANGED")) return;
    changed.add(context, "files", [nodeId], (all) => enqueueFiles(context.transaction, all));
  },
});
