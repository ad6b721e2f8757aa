import { naming } from "@svc/command-router/arguments/value-kind";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { AccountTarget, AccountView } from "../../members/members.ts";
import {
  AdministratorChange,
  changeAdministrator,
  undoAdministratorChange,
} from "../change-administrator.ts";

export default defineCommand({
  summary: "Remove the administrator right from an account",
  description:
    "The account keeps its roles in workspaces. The last administrator of a tenant cannot be removed.",
  category: "Account",
  effect: "write",
  agents: "never",
  reach: "outward",
  scopes: ["administrators:write"],
  arguments: z.strictObject({ account: AccountTarget.meta(naming("administrator")) }),
  positionals: ["account"],
  result: AccountView,
  presentation: { as: "text", text: ({ name }) => `${name} is no longer an administrator` },
  examples: [
    { command: "administrators remove rin@example.com", note: "They keep their roles in workspaces" },
  ],
  keywords: ["demote", "admin", "remove admin"],
  failures: ["not_found", "conflict"],
  async run(context, { account }) {
    const { view, undo } = await changeAdministrator(context, { account, isAdministrator: false });
    context.recordUndo(undo);
    return view;
  },
  undo: { payload: AdministratorChange, run: undoAdministratorChange },
});
