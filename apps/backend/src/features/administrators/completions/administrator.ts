import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { defineCompletions } from "../../../platform/completions/completion-sources.ts";
import { completeAccounts } from "../../members/members.ts";
import { listAdministrators } from "../administrators-store.ts";

export default defineCompletions({
  listing: "administrators list",
  maxAge: 60,
  async find(context, typed, limit) {
    requireAdministrator(context);
    return completeAccounts(await listAdministrators(context.transaction, { limit }), typed);
  },
});
