import type { UndoneOperation } from "@svc/command-router/command";
import { ProblemError } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { changeIdOfState, leftBy } from "../../platform/undo/left-by.ts";
import { requireCollectionRole } from "../collections/collections.ts";
import { brief } from "./record-view.ts";
import {
  changeRecord,
  changeValues,
  locateRecord,
  type RecordPlace,
  recordChange,
  recordChanged,
} from "./records.ts";
import type { WholeRecord } from "./records-store.ts";

const Content = z.object({
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  body: z.string(),
  updatedAt: z.iso.datetime(),
});

const State = z.object({
  ...changeIdOfState,
  version: z.int(),
  isTrashed: z.boolean(),
});

/**
 * The record as the operation left it, and as it was before. Undo swaps the two, so that an undo can be undone in the
 * same way.
 */
export const RecordUndo = z.object({
  id: z.string(),
  left: State,
  /** With the content only if the operation changed that. */
  before: State.extend({ content: Content.optional() }),
});
type RecordUndo = z.output<typeof RecordUndo>;

/** A created record goes to the trash. */
export function creationUndo(record: WholeRecord): RecordUndo {
  return {
    id: record.id,
    left: stateOf(record),
    before: { version: record.version + 1, isTrashed: true },
  };
}

export function presenceUndo(before: WholeRecord, after: WholeRecord): RecordUndo {
  return { id: after.id, left: stateOf(after), before: beforeAs(before) };
}

export function valuesUndo(before: WholeRecord, after: WholeRecord): RecordUndo {
  return { id: after.id, left: stateOf(after), before: { ...beforeAs(before), content: contentOf(before) } };
}

/** The caller must be an editor of its collection, and the record must be as the operation left it. */
export async function undoRecord(
  context: CommandContext,
  { id, left, before }: RecordUndo,
  operation: UndoneOperation,
): Promise<RecordUndo> {
  const place = await locateRecord(context, encodeId("record", id), { inTrash: left.isTrashed });
  const { record } = place;
  const changeId = leftBy(left, operation);
  if (record.changeId !== changeId || record.version !== left.version) {
    throw new ProblemError(
      "conflict",
      "The record was changed after this operation, so the operation can no longer be undone.",
    );
  }
  requireCollectionRole(place, "editor");
  const undone = await changeBack(context, place, before);
  const redo = before.content ? valuesUndo(record, undone) : presenceUndo(record, undone);
  return { ...redo, left: { ...redo.left, changeId: before.changeId } };
}

async function changeBack(
  context: CommandContext,
  { record, ...place }: RecordPlace,
  { version, changeId, isTrashed, content }: RecordUndo["before"],
): Promise<WholeRecord> {
  if (content) {
    const { fields, body } = content;
    const title = String(fields[place.collection.titleField] ?? "");
    const next = { title, fields, body };
    const when = { updatedAt: new Date(content.updatedAt), version };
    await changeValues(context, place, record, next, { ...when, changeId });
    return { ...record, ...next, ...when };
  }
  const trashedAt = isTrashed ? context.now : null;
  await changeRecord(context, record, { trashedAt, version, changeId });
  context.recordChange(
    isTrashed
      ? recordChange("delete", record)
      : { action: "create", type: "record", name: brief(record.title) },
  );
  await recordChanged(context, isTrashed ? "TRASHED" : "RESTORED", place, record.id);
  return { ...record, trashedAt, version };
}

function stateOf({ version, trashedAt }: WholeRecord): z.output<typeof State> {
  return { version, isTrashed: trashedAt !== null };
}

function beforeAs(record: WholeRecord): z.output<typeof State> {
  return { ...stateOf(record), changeId: record.changeId };
}

function contentOf({ fields, body, updatedAt }: WholeRecord): z.output<typeof Content> {
  return { fields, body, updatedAt: updatedAt.toISOString() };
}
