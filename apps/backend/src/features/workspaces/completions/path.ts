import { defineCompletions } from "../../../platform/completions/completion-sources.ts";
import { completeWorkspaces } from "../complete-workspaces.ts";

/** The beginning of an address: `marketing:/`. */
export default defineCompletions({
  listing: "workspaces list",
  maxAge: 60,
  find: async (context, typed, limit) =>
    /[/:]/.test(typed) ? [] : completeWorkspaces(context, typed, limit, ":/"),
});
