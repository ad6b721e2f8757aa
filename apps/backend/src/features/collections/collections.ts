import { type Address, collectionName, parseAddress } from "@svc/command-router/arguments/address";
import type { Change } from "@svc/protocol/exchange";
import { pointTo } from "@svc/protocol/next";
import { ProblemError } from "@svc/protocol/problem";
import { decodeId, encodeId } from "@svc/protocol/typed-id";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { CollectionChangedEvent } from "../../platform/commands/events.ts";
import { isAtLeast, type Rights, type Role, rightsIn, withArticle } from "../access/access.ts";
import { findWorkspaceOf, type Workspace, workspaceAt } from "../workspaces/workspaces.ts";
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

export const CollectionTarget = collectionName().describe("Slug, name or id of the collection");

/** A collection that the caller can read, and their rights in its workspace. */
export interface CollectionPlace {
  workspace: Workspace;
  rights: Rights;
  collection: Collection;
}

/** The collection that the caller named. One that they cannot see is answered as if it did not exist. */
export async function locateCollection(context: CommandContext, target: string): Promise<CollectionPlace> {
  const id = decodeId(target, "collection");
  const place = await (id === undefined
    ? locateByName(context, parseAddress(target, "collection"))
    : locateById(context, id));
  if (place) return place;
  throw notFound(target);
}

async function locateByName(context: CommandContext, address: Address): Promise<CollectionPlace | undefined> {
  const workspace = await workspaceAt(context, address);
  const rights = await rightsIn(context, workspace.id);
  const collection = await findCollectionByName(context.transaction, workspace.id, {
    text: address.rest,
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
  // guard: readable-collections-only
  return rights.roleIn(collection.scopeId) === undefined ? undefined : { workspace, rights, collection };
}

function notFound(target: string): ProblemError {
  return new ProblemError(
    "not_found",
    `There is no collection \`${target}\`, or you do not have access to it.`,
    pointTo({ command: "collections list" }, "to see the ones you have access to."),
  );
}

export function requireCollectionRole({ rights, collection }: CollectionPlace, needed: Role): void {
  if (isAtLeast(rights.roleIn(collection.scopeId), needed)) return;
  throw new ProblemError("not_permitted", `Only ${withArticle(needed)} of ${collection.name} can do this.`, {
    hint: `Run \`svc access show ${collectionId(collection)}\` to see who has access.`,
  });
}

/** For commands that write records: the collection stays unchanged until the transaction ends. */
export async function keepCollection(
  { transaction }: CommandContext,
  collection: Collection,
  options = { alone: false },
): Promise<void> {
  if (await holdCollection(transaction, collection, options)) return;
  throw changedMeanwhile(collection);
}

/** Changes the collection as it was read. A conflict if somebody else changed it first or the name is taken. */
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
  return new ProblemError(
    "conflict",
    `\`${name}\` was changed by somebody else, or the name is already taken.`,
    {
      hint: "Check with `svc collections list`, then try again.",
    },
  );
}

/** For undo: the collection, trashed or not, as the operation left it. Checks that the caller still has the right. */
export async function locateAsLeft(
  context: CommandContext,
  left: Pick<Collection, "id" | "version" | "changeId">,
  needed: Role,
): Promise<CollectionPlace> {
  const collection = await findCollection(context.transaction, left.id);
  const place = collection && (await readablePlace(context, collection));
  if (place?.collection.changeId !== left.changeId || place?.collection.version !== left.version) {
    throw new ProblemError(
      "conflict",
      "The collection was changed after this operation, so the operation can no longer be undone.",
    );
  }
  requireCollectionRole(place, needed);
  await keepCollection(context, place.collection, { alone: true });
  return place;
}

/** For access lists: the collection and its records now follow another list. */
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
