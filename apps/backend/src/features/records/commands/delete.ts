import { z } from "zod";
import { defineCommand } from "../../../platform/define-command.ts";
import { requireCollectionRole } from "../../collections/collections.ts";
import { brief, recordId } from "../record-view.ts";
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
  summary: "Move a record to the trash",
  description: "`records restore` or `operations undo` brings it back.",
  category: "Records",
  effect: "write",
  scopes: ["records:write"],
  arguments: z.strictObject({ target: RecordTarget }),
  positionals: ["target"],
  result: z.object({ id: z.string(), title: z.string() }),
  presentation: { as: "text", text: ({ title, id }) => `Moved ${title || "record"} (${id}) to the trash` },
  examples: [{ command: "records delete rec_01h455vb4pex5vsknk084sn02q", note: "Goes to the trash" }],
  failures: ["not_found", "conflict"],
  async run(context, { target }) {
    const { record, ...place } = await locateRecord(context, target);
    requireCollectionRole(place, "editor");
    await changeRecord(context, record, { trashedAt: context.now });
    context.recordChange(recordChange("delete", record));
    context.recordUndo({ id: record.id, version: record.version + 1 });
    await recordChanged(context, "TRASHED", place, record.id);
    return { id: recordId(record), title: record.title };
  },
  undo: {
    payload: RecordUndo,
    async run(context, left) {
      const { record, ...place } = await requireRecordAsLeft(context, left, { inTrash: true });
      await changeRecord(context, record, { trashedAt: null, version: record.version - 1 });
      context.recordChange({ action: "create", type: "record", name: brief(record.title) });
      await recordChanged(context, "RESTORED", place, record.id);
    },
  },
});
