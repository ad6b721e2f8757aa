import { usageError } from "@svc/command-router/arguments/usage-error";
import type { Change } from "@svc/protocol/exchange";
import type { Next } from "@svc/protocol/next";
import { ProblemError } from "@svc/protocol/problem";
import { decodeId, encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { RecordChangedEvent } from "../../platform/commands/events.ts";
import type { LeftBy } from "../../platform/undo/left-by.ts";
import {
  type Collection,
  type CollectionPlace,
  findField,
  locateCollection,
  unknownField,
} from "../collections/collections.ts";
import { type Draft, draftBody, draftValue, emptyDraft } from "./record-draft.ts";
import { brief, briefly, Referents, recordId } from "./record-view.ts";
import { findRecord, type NewRecord, updateRecord, type WholeRecord } from "./records-store.ts";

export const RecordTarget = z.string().min(1).max(100).describe("Id of the record (rec_…)");

export const setArguments = {
  set: z
    .array(z.string().min(1).max(100_000))
    .max(200)
    .default([])
    .describe("A value, as field=value; empty clears it"),
  body: z.string().max(1_000_000).optional().describe("Long text of the record"),
};

export interface RecordPlace extends CollectionPlace {
  record: WholeRecord;
}

/** The record that the caller named. One that they cannot see is answered as if it did not exist. */
export async function locateRecord(
  context: CommandContext,
  target: string,
  { inTrash = false }: { inTrash?: boolean } = {},
): Promise<RecordPlace> {
  const id = decodeId(target, "record");
  const record = id === undefined ? undefined : await findRecord(context.transaction, id);
  const place = record && (await placeOf(context, record));
  if (record && place && (record.trashedAt !== null) === inTrash) return { ...place, record };
  const where = inTrash ? " in the trash" : "";
  throw new ProblemError(
    "not_found",
    `There is no record \`${target}\`${where}, or you do not have access to it.`,
    {
      hint: `Run \`svc records list <collection>${inTrash ? " --trashed" : ""}\` to see the ones you have access to.`,
      // By a name instead of an id.
      ...(id === undefined && !inTrash ? { next: searchFor(target) } : {}),
    },
  );
}

function searchFor(title: string): Next {
  return { command: "search query", arguments: { query: [title], entityTypes: ["RECORD"] } };
}

async function placeOf(context: CommandContext, record: WholeRecord): Promise<CollectionPlace | undefined> {
  try {
    return await locateCollection(context, encodeId("collection", record.collectionId));
  } catch (error) {
    if (error instanceof ProblemError && error.code === "not_found") return undefined;
    throw error;
  }
}

/** `--set` and `--body` as typed. Mistakes are collected, and `requireSound` reports all of them at once. */
export function readDraft(
  { fields }: Collection,
  { set, body }: { set: readonly string[]; body?: string | undefined },
): Draft {
  const draft = emptyDraft();
  for (const typed of set) {
    const at = typed.indexOf("=");
    const name = at === -1 ? typed : typed.slice(0, at);
    const field = findField(fields, name);
    if (at === -1) draft.problems.push({ field: name, message: "must have the form <field>=<value>" });
    else if (!field) draft.problems.push({ field: name, message: unknownField(fields, name) });
    else if (draft.values.has(field)) draft.problems.push({ field: name, message: "is set twice" });
    else draftValue(draft, field, typed.slice(at + 1));
  }
  if (body !== undefined) draftBody(draft, body);
  return draft;
}

export function requireSound(command: string, { problems }: Draft): void {
  if (problems.length === 0) return;
  throw usageError(
    { path: command },
    problems.map(({ field, message }) => ({
      argument: field === "body" ? "--body" : `--set ${field}`,
      message,
    })),
  );
}

/** Changes the record as it was read. A conflict if somebody else changed it first. */
export async function changeRecord(
  { transaction }: CommandContext,
  record: WholeRecord,
  set: Parameters<typeof updateRecord>[2],
): Promise<void> {
  if (await updateRecord(transaction, record, set)) return;
  throw new ProblemError(
    "conflict",
    `\`${recordId(record)}\` was changed by somebody else at the same time.`,
    {
      hint: `Check with \`svc records get ${recordId(record)}\`, then try again.`,
    },
  );
}

/** The same for its values, and records the old and new ones. */
export async function changeValues(
  context: CommandContext,
  place: CollectionPlace,
  record: WholeRecord,
  next: NewRecord,
  when: { updatedAt: Date; version: number } & LeftBy,
): Promise<void> {
  await changeRecord(context, record, { ...next, ...when });
  const referents = await Referents.of(context, place, [record, next]);
  const shown = ({ fields, body }: NewRecord) => ({
    ...briefly(referents.showAll(place.collection, fields)),
    ...(record.body === next.body ? {} : { body: brief(body) }),
  });
  context.recordChange(recordChange("update", record, { before: shown(record), after: shown(next) }));
  await recordChanged(context, "CHANGED", place, record.id);
}

export function recordChanged(
  context: CommandContext,
  kind: RecordChangedEvent["kind"],
  { collection, workspace }: CollectionPlace,
  id: string,
): Promise<void> {
  return context.emit("RecordChangedEvent", {
    kind,
    recordId: id,
    collectionId: collection.id,
    workspaceId: workspace.id,
  });
}

export function recordChange(
  action: Change["action"],
  record: Pick<WholeRecord, "id" | "title" | "version">,
  more: Pick<Change, "before" | "after"> = {},
): Change {
  return {
    action,
    type: "record",
    id: recordId(record),
    name: brief(record.title),
    version: record.version,
    ...more,
  };
}
