import type { UndoneOperation } from "@svc/command-router/command";
import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { changeIdOfState, leftBy } from "../../platform/undo/left-by.ts";
import { collectionId, locateCollection, requireCollectionRole } from "../collections/collections.ts";
import { recordChanged } from "./records.ts";
import { countChangedSinceImport, restoreImport, trashImport } from "./records-store.ts";

export const ImportUndo = z.object({
  importId: z.string(),
  collectionId: z.string(),
  /** When an undo moved them to the trash; absent while they are live. */
  trashedAt: z.iso.datetime().optional(),
  /** The import, for their return. */
  ...changeIdOfState,
});
type ImportUndo = z.output<typeof ImportUndo>;

/** Moves the records that are as the import left them to the trash, or restores them. */
export async function undoImport(
  context: CommandContext,
  { importId, collectionId: id, trashedAt, changeId: importedBy }: ImportUndo,
  operation: UndoneOperation,
): Promise<ImportUndo> {
  const { transaction, now } = context;
  const changeId = leftBy({ changeId: importedBy }, operation);
  const place = await locateCollection(context, collectionId({ id }));
  requireCollectionRole(place, "editor");
  const changed = trashedAt === undefined ? await countChangedSinceImport(transaction, importId) : 0;
  if (changed > 0) {
    throw new ProblemError("conflict", `${changed} of the imported records were changed after the import.`, {
      hint: "Delete unwanted records one by one with `svc records delete`.",
    });
  }
  const records =
    trashedAt === undefined
      ? await trashImport(transaction, importId, now)
      : await restoreImport(transaction, { importId, trashedAt: new Date(trashedAt), changeId });
  if (records.length === 0) {
    throw new ProblemError("conflict", "All of the imported records were changed after this operation.");
  }
  const isTrashed = trashedAt === undefined;
  const { name, version } = place.collection;
  const count = { count: records.length };
  context.recordChange({
    action: isTrashed ? "delete" : "create",
    type: "records",
    name,
    version,
    ...(isTrashed ? { before: count } : { after: count }),
  });
  for (const record of records) {
    await recordChanged(context, isTrashed ? "TRASHED" : "RESTORED", place, record);
  }
  return { importId, collectionId: id, changeId, ...(isTrashed ? { trashedAt: now.toISOString() } : {}) };
}
