import { defineCompletions } from "../../../platform/completions/completion-sources.ts";
import { completeWorkspaces } from "../complete-workspaces.ts";

export default defineCompletions({
  listing: "workspaces list",
  maxAge: 60,
  find: completeWorkspaces,
});
