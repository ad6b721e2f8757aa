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
  claims: (target) => target.startsWith(prefix) || decodeId(target, "collection") !== undefined,

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

function sharedCollection({ collection: { id, name, scopeId }, workspace }: CollectionPlace): SharedThing {
  return { kind: "collection", id, name, workspaceId: workspace.id, workspaceName: workspace.name, scopeId };
}
