import { decodeId } from "@svc/protocol/typed-id";
import { defineAccessSubject } from "../../../platform/commands/access-subjects.ts";
import { lockTree } from "../tree-lock.ts";
import { requireWorkspace, sharedWorkspace } from "../workspaces.ts";

export default defineAccessSubject({
  kinds: ["workspace"],
  claims: (target) => decodeId(target, "workspace") !== undefined,

  async locate(context, target, lock) {
    const workspace = await requireWorkspace(context, target);
    if (lock) await lockTree(context, workspace.id, lock);
    return sharedWorkspace(workspace);
  },
});
