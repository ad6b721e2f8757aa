import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { collectionId, locateCollection, requireCollectionRole } from "../collections/collections.ts";
import { recordChanged } from "./records.ts";
import { countChangedSinceImport, restoreImport, trashImport } from "./records-store.ts";

export const ImportUndo = z.object({
  importId: z.string(),
  collectionId: z.string(),
  /** When an undo moved them to the trash; absent while they are live. */
  trashedAt: z.iso.datetime().optional(),
});
type ImportUndo = z.output<typeof ImportUndo>;

/** Moves the records that are as the import left them to the trash, or restores them. */
export async function undoImport(
  context: CommandContext,
  { importId, collectionId: id, trashedAt }: ImportUndo,
): Promise<ImportUndo> {
  const { transaction, now } = context;
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
      : await restoreImport(transaction, importId, new Date(trashedAt));
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
  return { importId, collectionId: id, ...(isTrashed ? { trashedAt: now.toISOString() } : {}) };
}
