import { indexLater } from "../../../platform/commands/index-documents.ts";
import { defineListener } from "../../../platform/commands/listeners.ts";
import records from "../search-sources/records.ts";

export default defineListener({
  event: "RecordChangedEvent",
  run: async (context, { recordId }) => indexLater(context, records, [recordId]),
});
