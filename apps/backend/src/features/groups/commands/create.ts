import { ProblemError } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { AccountName } from "../../../platform/identity/account-name.ts";
import { GroupUndo, undoGroup } from "../groups.ts";
import { insertGroup } from "../groups-store.ts";

export default defineCommand({
  summary: "Create a group that can be granted access like a person",
  category: "Access",
  effect: "write",
  agents: "searchable",
  reach: "outward",
  scopes: ["groups:write"],
  arguments: z.strictObject({ name: AccountName.describe("Name of the group") }),
  positionals: ["name"],
  result: z.object({ id: z.string(), name: z.string() }),
  presentation: { as: "text", text: ({ name, id }) => `Created group ${name} (${id})` },
  examples: [{ command: "groups create Design", note: "Then `groups add Design rin@example.com`" }],
  keywords: ["team", "new team", "department"],
  failures: ["conflict"],
  async run(context, { name }) {
    requireAdministrator(context);
    const id = await insertGroup(context.transaction, name);
    if (id === undefined) throw new ProblemError("conflict", `A group named ${name} already exists.`);
    context.recordChange({ action: "create", type: "group", name });
    context.recordMade("group", id);
    context.recordUndo({ id, name, exists: false });
    return { id: encodeId("group", id), name };
  },
  undo: { payload: GroupUndo, run: undoGroup },
});
