import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { keepCollection, requireCollectionRole } from "../../collections/collections.ts";
import { applyDraft, References } from "../record-draft.ts";
import { RecordView, recordViews, titleLine } from "../record-view.ts";
import {
  changeValues,
  locateRecord,
  RecordTarget,
  readDraft,
  requireSound,
  setArguments,
} from "../records.ts";
import type { NewRecord, WholeRecord } from "../records-store.ts";
import { RecordUndo, undoRecord, valuesUndo } from "../undo-record.ts";

export default defineCommand({
  summary: "Change the values of a record",
  category: "Records",
  effect: "write",
  agents: "listed",
  reach: "inside",
  scopes: ["records:write"],
  arguments: z.strictObject({ target: RecordTarget, ...setArguments }),
  positionals: ["target"],
  result: RecordView,
  presentation: { as: "text", text: (record) => `Updated ${titleLine(record, "record")} (${record.id})` },
  examples: [
    {
      command: "records update rec_01h455vb4pex5vsknk084sn02q --set status=lost",
      note: "Other values stay unchanged",
    },
    { command: "records update rec_01h455vb4pex5vsknk084sn02q --set revenue=", note: "Clears a value" },
  ],
  keywords: ["edit row", "change value", "set field", "modify entry"],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { target, set, body }) {
    const { record, ...place } = await locateRecord(context, target);
    // guard: updating-records-needs-editor
    requireCollectionRole(place, "editor");
    await keepCollection(context, place.collection);
    const draft = readDraft(place.collection, { set, body });
    await new References(context, place).resolve([draft]);
    const next = applyDraft(place.collection, draft, record);
    requireSound("records update", draft);
    if (isSame(record, next)) {
      throw new ProblemError("usage", "No changes to apply.", {
        hint: "Set a value with --set field=value, or change the text with --body.",
      });
    }
    const when = { updatedAt: context.now, version: record.version + 1 };
    await changeValues(context, place, record, next, when);
    const changed = { ...record, ...next, ...when };
    context.recordUndo(valuesUndo(record, changed));
    return (await recordViews(context, place, [changed]))(changed);
  },
  undo: { payload: RecordUndo, run: undoRecord },
});

function isSame(record: WholeRecord, next: NewRecord): boolean {
  const keys = new Set([...Object.keys(record.fields), ...Object.keys(next.fields)]);
  return record.body === next.body && [...keys].every((key) => record.fields[key] === next.fields[key]);
}
