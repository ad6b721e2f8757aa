import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { AccountTarget, AccountView } from "../../members/members.ts";
import {
  AdministratorChange,
  changeAdministrator,
  undoAdministratorChange,
} from "../change-administrator.ts";

export default defineCommand({
  summary: "Make an account an administrator of the tenant",
  description:
    "Administrators count as owners of every workspace and manage tokens, groups and settings. AI members cannot be administrators.",
  category: "Account",
  effect: "write",
  agents: "never",
  reach: "outward",
  scopes: ["administrators:write"],
  arguments: z.strictObject({ account: AccountTarget }),
  positionals: ["account"],
  result: AccountView,
  presentation: { as: "text", text: ({ name }) => `${name} is now an administrator` },
  examples: [{ command: "administrators add rin@example.com", note: "By e-mail address" }],
  keywords: ["admin", "promote", "make admin", "superuser"],
  failures: ["not_found", "conflict"],
  async run(context, { account }) {
    const { view, undo } = await changeAdministrator(context, { account, isAdministrator: true });
    context.recordUndo(undo);
    return view;
  },
  undo: { payload: AdministratorChange, run: undoAdministratorChange },
});
