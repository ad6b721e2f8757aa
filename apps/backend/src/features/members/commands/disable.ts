import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { AccountTarget, AccountView } from "../accounts.ts";
import { AccountChange, changeAccount, undoAccountChange } from "../change-account.ts";

export default defineCommand({
  summary: "Disable an account of the tenant",
  description:
    "Refuses every login and token of the account from now on, and ends its sessions for good. Its files, records and " +
    "roles do not change. Only administrators can do this, and nobody can disable their own account.",
  category: "Account",
  effect: "write",
  agents: "searchable",
  reach: "outward",
  scopes: ["members:write"],
  arguments: z.strictObject({ account: AccountTarget }),
  positionals: ["account"],
  result: AccountView,
  presentation: { as: "text", text: ({ name }) => `Disabled ${name}` },
  examples: [{ command: "members disable rin@example.com", note: "Somebody who left the company" }],
  keywords: ["deactivate", "block account", "suspend", "lock account", "offboard"],
  failures: ["not_found", "conflict"],
  async run(context, { account }) {
    const { view, undo } = await changeAccount(context, { account, isDisabled: true });
    context.recordUndo(undo);
    return view;
  },
  undo: { payload: AccountChange, run: undoAccountChange },
});
