import { forgetPlace } from "@svc/search/index/places";
import { indexLater } from "../../../platform/commands/index-documents.ts";
import { defineListener } from "../../../platform/commands/listeners.ts";
import { placeNodes } from "../search-places.ts";
import nodes from "../search-sources/nodes.ts";

/** Indexes a change in its own transaction, so that search is never behind. */
export default defineListener({
  event: "NodeChangedEvent",
  async run(context, { kind, nodeKind, nodeId }) {
    const { transaction } = context;
    if (kind === "PURGED") return forgetPlace(transaction, nodeId);
    // guard: access-changes-move-places
    const isWhereItWas = kind === "CONTENT_CHANGED" || kind === "RENAMED";
    const mayBePlace = nodeKind === "folder" || kind !== "CREATED";
    if (mayBePlace && !isWhereItWas) await placeNodes(transaction, nodeId);
    indexLater(context, nodes, [nodeId]);
  },
});
