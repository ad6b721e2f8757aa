import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireCollectionRole } from "../../collections/collections.ts";
import { RecordView, recordViews, titleLine } from "../record-view.ts";
import { changeRecord, locateRecord, RecordTarget, recordChange, recordChanged } from "../records.ts";
import { presenceUndo, RecordUndo, undoRecord } from "../undo-record.ts";

export default defineCommand({
  summary: "Restore a record from the trash",
  category: "Records",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["records:write"],
  arguments: z.strictObject({ target: RecordTarget }),
  positionals: ["target"],
  result: RecordView,
  presentation: { as: "text", text: (record) => `Restored ${titleLine(record, "record")} (${record.id})` },
  examples: [
    {
      command: "records restore rec_01h455vb4pex5vsknk084sn02q",
      note: "`records list customers --trashed` shows the ids",
    },
  ],
  keywords: ["undelete row", "recover entry", "bring back"],
  failures: ["not_found", "conflict"],
  async run(context, { target }) {
    const { record, ...place } = await locateRecord(context, target, { inTrash: true });
    // guard: restoring-records-needs-editor
    requireCollectionRole(place, "editor");
    await changeRecord(context, record, { trashedAt: null });
    context.recordChange(recordChange("create", record));
    const restored = { ...record, trashedAt: null, version: record.version + 1 };
    context.recordUndo(presenceUndo(record, restored));
    await recordChanged(context, "RESTORED", place, record.id);
    return (await recordViews(context, place, [record]))(record);
  },
  undo: { payload: RecordUndo, run: undoRecord },
});
