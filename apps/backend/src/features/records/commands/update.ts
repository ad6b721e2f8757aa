import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../../platform/command-context.ts";
import { defineCommand } from "../../../platform/define-command.ts";
import {
  type CollectionPlace,
  keepCollection,
  requireCollectionRole,
} from "../../collections/collections.ts";
import { applyDraft, References } from "../record-draft.ts";
import { brief, briefly, RecordView, Referents, recordViews } from "../record-view.ts";
import {
  changeRecord,
  locateRecord,
  RecordTarget,
  RecordUndo,
  readDraft,
  recordChange,
  recordChanged,
  requireRecordAsLeft,
  requireSound,
  setArguments,
} from "../records.ts";
import type { NewRecord, WholeRecord } from "../records-store.ts";

export default defineCommand({
  summary: "Change values of a record",
  category: "Records",
  effect: "write",
  scopes: ["records:write"],
  arguments: z.strictObject({ target: RecordTarget, ...setArguments }),
  positionals: ["target"],
  result: RecordView,
  presentation: { as: "text", text: ({ title, id }) => `Updated ${title || "record"} (${id})` },
  examples: [
    { command: "records update rec_01h455vb4pex5vsknk084sn02q --set status=lost", note: "The others stay" },
    { command: "records update rec_01h455vb4pex5vsknk084sn02q --set revenue=", note: "Takes a value away" },
  ],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { target, set, body }) {
    const { record, ...place } = await locateRecord(context, target);
    requireCollectionRole(place, "editor");
    await keepCollection(context, place.collection);
    const draft = readDraft(place.collection, { set, body });
    await new References(context, place).resolve([draft]);
    const next = applyDraft(place.collection, draft, record);
    requireSound("records update", draft);
    if (isSame(record, next)) {
      throw new ProblemError("usage", "Nothing of it would change.", {
        hint: "Name what changes with --set field=value, or --body.",
      });
    }
    await replace(context, place, record, next, { updatedAt: context.now, version: record.version + 1 });
    const { title, fields, body: oldBody, updatedAt } = record;
    context.recordUndo({
      id: record.id,
      version: record.version + 1,
      before: { title, fields, body: oldBody, updatedAt: updatedAt.toISOString() },
    });
    const changed = { ...record, ...next, updatedAt: context.now };
    return (await recordViews(context, place, [changed]))(changed);
  },
  undo: {
    payload: RecordUndo.extend({
      before: z.object({
        title: z.string(),
        fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
        body: z.string(),
        updatedAt: z.iso.datetime(),
      }),
    }),
    async run(context, { before: { updatedAt, ...before }, ...left }) {
      const { record, ...place } = await requireRecordAsLeft(context, left);
      await replace(context, place, record, before, {
        updatedAt: new Date(updatedAt),
        version: record.version - 1,
      });
    },
  },
});

async function replace(
  context: CommandContext,
  place: CollectionPlace,
  record: WholeRecord,
  next: NewRecord,
  { updatedAt, version }: { updatedAt: Date; version: number },
): Promise<void> {
  await changeRecord(context, record, { ...next, updatedAt, version });
  const referents = await Referents.of(context, place, [record, next]);
  const shown = ({ fields, body }: NewRecord) => ({
    ...briefly(referents.showAll(place.collection, fields)),
    ...(record.body === next.body ? {} : { body: brief(body) }),
  });
  context.recordChange(recordChange("update", record, { before: shown(record), after: shown(next) }));
  await recordChanged(context, "CHANGED", place, record.id);
}

function isSame(record: WholeRecord, next: NewRecord): boolean {
  const keys = new Set([...Object.keys(record.fields), ...Object.keys(next.fields)]);
  return record.body === next.body && [...keys].every((key) => record.fields[key] === next.fields[key]);
}
