import type { UndoneOperation } from "@svc/command-router/command";
import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { changeIdOfState, leftBy } from "../../platform/undo/left-by.ts";
import { ownWork, takesWorkOfOthers } from "../../platform/undo/work-of-others.ts";
import type { Role } from "../access/access.ts";
import { countOrphans } from "./alter-fields.ts";
import { shownCollection } from "./collection-view.ts";
import { changeCollection, collectionChange, locateAsLeft } from "./collections.ts";
import { type Collection, countRecords, hasWorkOfOthers } from "./collections-store.ts";
import { Field } from "./field.ts";

const CollectionState = z.object({
  ...changeIdOfState,
  version: z.int(),
  isTrashed: z.boolean(),
  name: z.string(),
  slug: z.string(),
  fields: z.array(Field),
  titleField: z.string(),
});
type CollectionState = z.output<typeof CollectionState>;

/**
 * The collection as the operation left it, and as it was before. Undo swaps the two, so that an undo can be undone in
 * the same way.
 */
export const CollectionUndo = z.object({ id: z.string(), left: CollectionState, before: CollectionState });
type CollectionUndo = z.output<typeof CollectionUndo>;

export function changeUndo(before: Collection, after: Collection): CollectionUndo {
  return { id: after.id, left: stateOf(after), before: { ...stateOf(before), changeId: before.changeId } };
}

export function creationUndo(collection: Collection): CollectionUndo {
  const left = stateOf(collection);
  return { id: collection.id, left, before: { ...left, version: left.version + 1, isTrashed: true } };
}

/** `needed`: the role that the command itself requires. */
export function undoCollection(needed: Role) {
  return async (
    context: CommandContext,
    { id, left, before }: CollectionUndo,
    operation: UndoneOperation,
  ): Promise<CollectionUndo> => {
    const changeId = leftBy(left, operation);
    const { collection } = await locateAsLeft(context, { id, changeId, version: left.version }, needed);
    if (before.isTrashed) await moveToTrash(context, collection, before, operation);
    else if (left.isTrashed) await takeFromTrash(context, collection, before);
    else await alterBack(context, collection, before, operation);
    return { id, left: before, before: { ...left, changeId } };
  };
}

async function moveToTrash(
  context: CommandContext,
  collection: Collection,
  { version, changeId }: CollectionState,
  operation: UndoneOperation,
): Promise<void> {
  const { transaction } = context;
  // guard: records-of-others-stay
  if (await hasWorkOfOthers(transaction, collection.id, ownWork(context, operation))) {
    throw takesWorkOfOthers(collection.name);
  }
  const records = await countRecords(transaction, collection.id);
  await changeCollection(context, collection, { trashedAt: context.now, version, changeId });
  context.recordChange(collectionChange("delete", collection, { before: { records } }));
}

async function takeFromTrash(
  context: CommandContext,
  collection: Collection,
  { slug, version, changeId }: CollectionState,
): Promise<void> {
  // Sets the slug too, to notice a collection that has taken it.
  await changeCollection(context, collection, { trashedAt: null, slug, version, changeId });
  context.recordChange({ action: "create", type: "collection", name: collection.name, after: { slug } });
}

async function alterBack(
  context: CommandContext,
  collection: Collection,
  { isTrashed, ...before }: CollectionState,
  operation: UndoneOperation,
): Promise<void> {
  for (const field of before.fields) {
    if ((await countOrphans(context, collection, field)) === 0) continue;
    throw new ProblemError(
      "conflict",
      `Some records use choices of \`${field.name}\` that this would remove.`,
    );
  }
  const kept = new Set(before.fields.map(({ key }) => key));
  const removed = collection.fields.map(({ key }) => key).filter((key) => !kept.has(key));
  const own = ownWork(context, operation);
  // guard: values-of-others-stay
  if (removed.length > 0 && (await hasWorkOfOthers(context.transaction, collection.id, own, removed))) {
    throw takesWorkOfOthers(collection.name);
  }
  await changeCollection(context, collection, before);
  context.recordChange(
    collectionChange("update", collection, {
      before: shownCollection(collection),
      after: shownCollection({ ...collection, ...before }),
    }),
  );
}

function stateOf({ version, trashedAt, name, slug, fields, titleField }: Collection): CollectionState {
  return { version, isTrashed: trashedAt !== null, name, slug, fields, titleField };
}
