import { indexLater } from "../../../platform/commands/index-documents.ts";
import { defineListener } from "../../../platform/commands/listeners.ts";
import { placeCollection } from "../../collections/collections.ts";
import { recordIds } from "../records-store.ts";
import records from "../search-sources/records.ts";

/** Its place carries the access list and trash state; its fields decide what can be found in its records. */
export default defineListener({
  event: "CollectionChangedEvent",
  async run(context, { kind, collectionId }) {
    const { transaction } = context;
    await placeCollection(transaction, collectionId);
    if (kind === "CHANGED") indexLater(context, records, await recordIds(transaction, collectionId));
  },
});
