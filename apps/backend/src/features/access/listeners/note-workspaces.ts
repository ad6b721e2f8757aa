import { defineListener } from "../../../platform/commands/listeners.ts";
import { workspacesAskedAbout } from "../caller-rights.ts";

export default defineListener({
  event: "ApprovalWantedEvent",
  async run(context, { workspaceIds }) {
    for (const id of workspacesAskedAbout(context)) workspaceIds.add(id);
  },
});
