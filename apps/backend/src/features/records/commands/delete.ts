import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireCollectionRole } from "../../collections/collections.ts";
import { recordId, titleLine } from "../record-view.ts";
import { changeRecord, locateRecord, RecordTarget, recordChange, recordChanged } from "../records.ts";
import { presenceUndo, RecordUndo, undoRecord } from "../undo-record.ts";

export default defineCommand({
  summary: "Move a record to the trash",
  description: "To get it back, use `records restore` or `undo`.",
  category: "Records",
  effect: "write",
  agents: "listed",
  reach: "inside",
  scopes: ["records:write"],
  arguments: z.strictObject({ target: RecordTarget }),
  positionals: ["target"],
  result: z.object({ id: z.string(), title: z.string() }),
  presentation: {
    as: "text",
    text: (record) => `Moved ${titleLine(record, "record")} (${record.id}) to the trash`,
  },
  examples: [{ command: "records delete rec_01h455vb4pex5vsknk084sn02q", note: "Moves it to the trash" }],
  keywords: ["remove row", "remove entry"],
  failures: ["not_found", "conflict"],
  async run(context, { target }) {
    const { record, ...place } = await locateRecord(context, target);
    requireCollectionRole(place, "editor");
    await changeRecord(context, record, { trashedAt: context.now });
    context.recordChange(recordChange("delete", record));
    const deleted = { ...record, trashedAt: context.now, version: record.version + 1 };
    context.recordUndo(presenceUndo(record, deleted));
    await recordChanged(context, "TRASHED", place, record.id);
    return { id: recordId(record), title: record.title };
  },
  undo: { payload: RecordUndo, run: undoRecord },
});
