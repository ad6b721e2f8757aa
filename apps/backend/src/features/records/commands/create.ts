import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import {
  CollectionTarget,
  keepCollection,
  locateCollection,
  requireCollectionRole,
} from "../../collections/collections.ts";
import { applyDraft, References, requireComplete } from "../record-draft.ts";
import { brief, briefly, RecordView, Referents, recordViews, titleLine } from "../record-view.ts";
import { readDraft, recordChanged, requireSound, setArguments } from "../records.ts";
import { findRecord, insertRecords } from "../records-store.ts";
import { creationUndo, RecordUndo, undoRecord } from "../undo-record.ts";

export default defineCommand({
  summary: "Create a record",
  description: "`collections describe` shows the fields.",
  category: "Records",
  effect: "write",
  agents: "listed",
  reach: "inside",
  scopes: ["records:write"],
  arguments: z.strictObject({ collection: CollectionTarget, ...setArguments }),
  positionals: ["collection"],
  result: RecordView,
  presentation: { as: "text", text: (record) => `Created ${titleLine(record, "record")} (${record.id})` },
  examples: [
    {
      command: 'records create customers --set name="Acme" --set revenue=1200',
      note: "A value for each field",
    },
  ],
  keywords: ["add row", "insert", "new entry", "new customer"],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { collection: target, set, body }) {
    const place = await locateCollection(context, target);
    // guard: creating-records-needs-editor
    requireCollectionRole(place, "editor");
    const { collection } = place;
    await keepCollection(context, collection);
    const draft = readDraft(collection, { set, body });
    requireComplete(
      draft,
      collection.fields.filter(({ required }) => required),
    );
    await new References(context, place).resolve([draft]);
    const made = applyDraft(collection, draft);
    requireSound("records create", draft);

    const [id] = await insertRecords(context.transaction, collection.id, [made]);
    const record = id === undefined ? undefined : await findRecord(context.transaction, id);
    if (!record) throw new Error("a new record is missing");
    const after = (await Referents.of(context, place, [record])).showAll(collection, record.fields);
    context.recordChange({
      action: "create",
      type: "record",
      name: brief(record.title),
      after: briefly(after),
    });
    context.recordMade("record", record.id, collection.id);
    context.recordUndo(creationUndo(record));
    await recordChanged(context, "CREATED", place, record.id);
    return (await recordViews(context, place, [record]))(record);
  },
  undo: { payload: RecordUndo, run: undoRecord },
});
