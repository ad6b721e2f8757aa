import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { GroupTarget, GroupUndo, requireGroup, setGroupExists, undoGroup } from "../groups.ts";

export default defineCommand({
  summary: "Delete a group and the access it gives its members",
  category: "Access",
  effect: "write",
  agents: "searchable",
  reach: "outward",
  scopes: ["groups:write"],
  arguments: z.strictObject({ group: GroupTarget }),
  positionals: ["group"],
  result: z.object({ name: z.string() }),
  presentation: { as: "text", text: ({ name }) => `Deleted group ${name}` },
  examples: [{ command: "groups delete Design", note: "Undo restores the group and its access" }],
  keywords: ["remove team", "disband", "dissolve", "no longer needed"],
  failures: ["not_found", "conflict"],
  async run(context, { group: target }) {
    requireAdministrator(context);
    const { id, name } = await requireGroup(context, target);
    context.recordUndo(await setGroupExists(context, { id, name, exists: false }));
    return { name };
  },
  undo: { payload: GroupUndo, run: undoGroup },
});
