import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { AccountTarget, AccountView } from "../accounts.ts";
import { AccountChange, changeAccount, undoAccountChange } from "../change-account.ts";

export default defineCommand({
  summary: "Enable an account that was disabled",
  description:
    "Its logins and tokens work again, with the roles it had. Revoked and expired tokens stay invalid.",
  category: "Account",
  effect: "write",
  agents: "searchable",
  reach: "outward",
  scopes: ["members:write"],
  arguments: z.strictObject({ account: AccountTarget }),
  positionals: ["account"],
  result: AccountView,
  presentation: { as: "text", text: ({ name }) => `Enabled ${name}` },
  examples: [{ command: "members enable rin@example.com", note: "Somebody who came back" }],
  keywords: ["reactivate", "unblock account", "unlock account"],
  failures: ["not_found", "conflict"],
  async run(context, { account }) {
    const { view, undo } = await changeAccount(context, { account, isDisabled: false });
    context.recordUndo(undo);
    return view;
  },
  undo: { payload: AccountChange, run: undoAccountChange },
});
