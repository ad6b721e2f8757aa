import { enqueueFiles } from "@svc/search/vectors/embedding-queue";
import { CommandBatch } from "../../../platform/commands/command-batch.ts";
import { defineListener } from "../../../platform/commands/listeners.ts";

const changed = new CommandBatch();

/** A file with new content awaits embedding, where its workspace wants that: at the end of the command, many at once. */
export default defineListener({
  event: "NodeChangedEvent",
  async run(context, { kind, nodeKind, nodeId }) {
    if (nodeKind !== "file" || (kind !== "CREATED" && kind !== "CONTENT_CHANGED")) return;
    changed.add(context, "files", [nodeId], (all) => enqueueFiles(context.transaction, all));
  },
});
