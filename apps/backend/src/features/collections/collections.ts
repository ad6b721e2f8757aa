import type { Change } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import { decodeId, encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { CollectionChangedEvent } from "../../platform/commands/events.ts";
import { isAtLeast, type Rights, type Role, rightsIn } from "../access/access.ts";
import { currentWorkspace, findWorkspaceOf, type Workspace } from "../workspaces/workspaces.ts";
import {
  type Collection,
  findCollection,
  findCollectionByName,
  holdCollection,
  type Readable,
  retitleRecords,
  setCollectionScope,
  updateCollection,
} from "./collections-store.ts";
import { type Field, findField, unknownField } from "./field.ts";

export { placeCollection, placeCollections } from "./search-places.ts";
export type { Collection, Field, Readable };
export { findField, unknownField };

export const CollectionTarget = z.string().min(1).max(200).describe("Slug, name or id of the collection");

/** A collection that the caller may read, and what he may do in its workspace. */
export interface CollectionPlace {
  workspace: Workspace;
  rights: Rights;
  collection: Collection;
}

/** The collection that the caller named. What he may not see is answered like what is not there. */
export async function locateCollection(context: CommandContext, target: string): Promise<CollectionPlace> {
  const id = decodeId(target, "collection");
  const place = await (id === undefined ? locateByName(context, target) : locateById(context, id));
  if (place) return place;
  throw notFound(target);
}

async function locateByName(context: CommandContext, text: string): Promise<CollectionPlace | undefined> {
  const workspace = await currentWorkspace(context);
  const rights = await rightsIn(context, workspace.id);
  const collection = await findCollectionByName(context.transaction, workspace.id, {
    text,
    readable: rights.readable,
  });
  return collection && { workspace, rights, collection };
}

async function locateById(context: CommandContext, id: string): Promise<CollectionPlace | undefined> {
  const collection = await findCollection(context.transaction, id);
  if (!collection || collection.trashedAt !== null) return undefined;
  return readablePlace(context, collection);
}

async function readablePlace(
  context: CommandContext,
  collection: Collection,
): Promise<CollectionPlace | undefined> {
  const workspace = await findWorkspaceOf(context, collection);
  if (!workspace) return undefined;
  const rights = await rightsIn(context, workspace.id);
  return rights.roleIn(collection.scopeId) === undefined ? undefined : { workspace, rights, collection };
}

function notFound(target: string): ProblemError {
  return new ProblemError("not_found", `There is no collection \`${target}\`, or you may not see it.`, {
    hint: "`svc collections list` shows those that you can see.",
  });
}

export function requireCollectionRole({ rights, collection }: CollectionPlace, needed: Role): void {
  if (isAtLeast(rights.roleIn(collection.scopeId), needed)) return;
  throw new ProblemError("not_permitted", `Only an ${needed} of ${collection.name} may do this.`, {
    hint: `\`svc access show ${collectionId(collection)}\` shows who that is.`,
  });
}

/** For who writes records: the collection stays as it was read until the transaction ends. */
export async function keepCollection(
  { transaction }: CommandContext,
  collection: Collection,
  options = { alone: false },
): Promise<void> {
  if (await holdCollection(transaction, collection, options)) return;
  throw changedMeanwhile(collection);
}

/** Changes the collection as it was read; where somebody was faster, or the name is taken, it is a conflict. */
export async function changeCollection(
  context: CommandContext,
  collection: Collection,
  set: Parameters<typeof updateCollection>[2],
): Promise<void> {
  const { transaction } = context;
  if (!(await updateCollection(transaction, collection, set))) throw changedMeanwhile(collection);
  if (set.titleField !== undefined && set.titleField !== collection.titleField) {
    await retitleRecords(transaction, collection.id, set.titleField);
  }
  await collectionChanged(context, "CHANGED", collection);
}

export function collectionChanged(
  context: CommandContext,
  kind: CollectionChangedEvent["kind"],
  { id, workspaceId }: Pick<Collection, "id" | "workspaceId">,
): Promise<void> {
  return context.emit("CollectionChangedEvent", { kind, collectionId: id, workspaceId });
}

function changedMeanwhile({ name }: Collection): ProblemError {
  return new ProblemError("conflict", `\`${name}\` was changed meanwhile, or that name is taken.`, {
    hint: "Look at it again with `svc collections list`, then repeat.",
  });
}

/** For undo: the collection, in the trash or not, as the operation left it; and the caller may still do this. */
export async function locateAsLeft(
  context: CommandContext,
  id: string,
  isAsLeft: (collection: Collection) => boolean,
  needed: Role,
): Promise<CollectionPlace> {
  const collection = await findCollection(context.transaction, id);
  const place = collection && (await readablePlace(context, collection));
  if (!place || !isAsLeft(place.collection)) {
    throw new ProblemError(
      "conflict",
      "The collection was changed after this operation, which cannot be undone any more.",
    );
  }
  requireCollectionRole(place, needed);
  await keepCollection(context, place.collection, { alone: true });
  return place;
}

/** For access lists: the collection, and with it its records, follows another list from now on. */
export async function followCollectionList(
  context: CommandContext,
  { id, workspaceId }: Pick<Collection, "id" | "workspaceId">,
  toScopeId: string,
): Promise<void> {
  await setCollectionScope(context.transaction, id, toScopeId);
  await collectionChanged(context, "ACCESS_CHANGED", { id, workspaceId });
}

export function collectionId({ id }: Pick<Collection, "id">): string {
  return encodeId("collection", id);
}

export function collectionChange(
  action: Change["action"],
  collection: Pick<Collection, "id" | "name" | "version">,
  more: Pick<Change, "before" | "after"> = {},
): Change {
  return {
    action,
    type: "collection",
    id: collectionId(collection),
    name: collection.name,
    version: collection.version,
    ...more,
  };
}
