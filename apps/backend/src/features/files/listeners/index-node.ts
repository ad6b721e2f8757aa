import { forgetPlace } from "@svc/search/index/places";
import { CommandBatch } from "../../../platform/commands/command-batch.ts";
import { indexLater } from "../../../platform/commands/index-documents.ts";
import { defineListener } from "../../../platform/commands/listeners.ts";
import { placeNodes } from "../search-places.ts";
import nodes from "../search-sources/nodes.ts";

const placed = new CommandBatch();

/** Indexes a change in its own transaction, so that search is never behind: places first, many at once at its end. */
export default defineListener({
  event: "NodeChangedEvent",
  async run(context, { kind, nodeKind, nodeId }) {
    const { transaction } = context;
    if (kind === "PURGED") return forgetPlace(transaction, nodeId);
    // guard: access-changes-move-places
    const isWhereItWas = kind === "CONTENT_CHANGED" || kind === "RENAMED";
    const mayBePlace = nodeKind === "folder" || kind !== "CREATED";
    placed.add(context, "places", mayBePlace && !isWhereItWas ? [nodeId] : [], async (ids) => {
      if (ids.length > 0) await placeNodes(transaction, ids);
    });
    indexLater(context, nodes, [nodeId]);
  },
});
