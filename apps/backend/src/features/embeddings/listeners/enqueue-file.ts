import { enqueueFiles } from "@svc/search/embedding-queue";
import { defineListener } from "../../../platform/listeners.ts";
import { PerTransaction } from "../../../platform/per-transaction.ts";

const changed = new PerTransaction<Set<string>>();

/** A file with new content awaits embedding, where its workspace wants that: at the end of the command, many at once. */
export default defineListener({
  event: "NodeChangedEvent",
  async run(context, { kind, nodeKind, nodeId }) {
    if (nodeKind !== "file" || (kind !== "CREATED" && kind !== "CONTENT_CHANGED")) return;
    const waiting = changed.of(context.transaction);
    const known = waiting.get("files");
    if (known) {
      known.add(nodeId);
      return;
    }
    const files = new Set([nodeId]);
    waiting.set("files", files);
    context.beforeCommit(() => enqueueFiles(context.transaction, [...files].sort()));
  },
});
