import { decodeId } from "@svc/protocol/typed-id";
import { defineAccessSubject } from "../../../platform/commands/access-subjects.ts";
import type { SharedThing } from "../../../platform/commands/shared-things.ts";
import { lockTree } from "../../workspaces/workspaces.ts";
import {
  type CollectionPlace,
  collectionId,
  followCollectionList,
  locateCollection,
} from "../collections.ts";

const prefix = "collection:";

export default defineAccessSubject({
  kinds: ["collection"],
  // `collection:/x` is a path in a workspace of that name.
  claims: (target) =>
    (target.startsWith(prefix) && !target.startsWith(`${prefix}/`)) ||
    decodeId(target, "collection") !== undefined,

  async locate(context, target, lock) {
    const named = target.startsWith(prefix) ? target.slice(prefix.length) : target;
    const place = await locateCollection(context, named);
    if (!lock) return sharedCollection(place);
    await lockTree(context, place.workspace.id, lock);
    // Its list may have changed while we waited for the lock.
    return sharedCollection(await locateCollection(context, collectionId(place.collection)));
  },

  follow: followCollectionList,
});

function sharedCollection({ collection, workspace }: CollectionPlace): SharedThing {
  const { id, name, scopeId } = collection;
  const names = { name, typed: collectionId(collection), workspaceName: workspace.name };
  return { kind: "collection", id, ...names, workspaceId: workspace.id, scopeId };
}
