import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { collectionId, locateCollection, requireCollectionRole } from "../collections/collections.ts";
import { recordChanged } from "./records.ts";
import { countChangedSinceImport, restoreImport, trashImport } from "./records-store.ts";

export const ImportUndo = z.object({
  importId: z.string(),
  collectionId: z.string(),
  /** When an undo moved them to the trash; absent while they are not there. */
  trashedAt: z.iso.datetime().optional(),
});
type ImportUndo = z.output<typeof ImportUndo>;

/** All of them go to the trash, or come back from it: those that are as the import left them. */
export async function undoImport(
  context: CommandContext,
  { importId, collectionId: id, trashedAt }: ImportUndo,
): Promise<ImportUndo> {
  const { transaction, now } = context;
  const place = await locateCollection(context, collectionId({ id }));
  requireCollectionRole(place, "editor");
  const changed = trashedAt === undefined ? await countChangedSinceImport(transaction, importId) : 0;
  if (changed > 0) {
    throw new ProblemError("conflict", `${changed} of the imported records were changed since.`, {
      hint: "Delete the records that you do not want one by one.",
    });
  }
  const records =
    trashedAt === undefined
      ? await trashImport(transaction, importId, now)
      : await restoreImport(transaction, importId, new Date(trashedAt));
  if (records.length === 0) {
    throw new ProblemError("conflict", "None of the imported records are as this operation left them.");
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
