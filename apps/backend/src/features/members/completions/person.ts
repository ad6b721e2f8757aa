import { defineCompletions } from "../../../platform/completions/completion-sources.ts";
import { currentWorkspace, requireRole } from "../../workspaces/workspaces.ts";
import { completeAccounts } from "../members.ts";
import { listMembers } from "../members-store.ts";

export default defineCompletions({
  listing: "members list",
  maxAge: 60,
  async find(context, typed, limit) {
    const workspace = await currentWorkspace(context);
    requireRole(context, workspace, "viewer");
    const found = await listMembers(context.transaction, workspace.id, { limit, beginning: typed });
    return completeAccounts(found, typed);
  },
});
