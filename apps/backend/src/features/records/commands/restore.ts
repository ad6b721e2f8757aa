import { z } from "zod";
import { defineCommand } from "../../../platform/define-command.ts";
import { requireCollectionRole } from "../../collections/collections.ts";
import { RecordView, recordViews } from "../record-view.ts";
import {
  changeRecord,
  locateRecord,
  RecordTarget,
  RecordUndo,
  recordChange,
  recordChanged,
  requireRecordAsLeft,
} from "../records.ts";

export default defineCommand({
  summary: "Bring a record back from the trash",
  category: "Records",
  effect: "write",
  scopes: ["records:write"],
  arguments: z.strictObject({ target: RecordTarget }),
  positionals: ["target"],
  result: RecordView,
  presentation: { as: "text", text: ({ title, id }) => `Restored ${title || "record"} (${id})` },
  examples: [
    {
      command: "records restore rec_01h455vb4pex5vsknk084sn02q",
      note: "`records list customers --trashed` shows the ids",
    },
  ],
  failures: ["not_found", "conflict"],
  async run(context, { target }) {
    const { record, ...place } = await locateRecord(context, target, { inTrash: true });
    requireCollectionRole(place, "editor");
    await changeRecord(context, record, { trashedAt: null });
    context.recordChange(recordChange("create", record));
    context.recordUndo({ id: record.id, version: record.version + 1 });
    await recordChanged(context, "RESTORED", place, record.id);
    return (await recordViews(context, place, [record]))(record);
  },
  undo: {
    payload: RecordUndo,
    async run(context, left) {
      const { record, ...place } = await requireRecordAsLeft(context, left);
      await changeRecord(context, record, { trashedAt: context.now, version: record.version - 1 });
      context.recordChange(recordChange("delete", record));
      await recordChanged(context, "TRASHED", place, record.id);
    },
  },
});
