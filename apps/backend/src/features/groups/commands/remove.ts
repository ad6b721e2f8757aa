import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { Person } from "../../access/access.ts";
import { changeGroupMember, GroupMemberUndo, GroupTarget, undoGroupMember } from "../groups.ts";

export default defineCommand({
  summary: "Remove somebody from a group",
  category: "Access",
  effect: "write",
  agents: "searchable",
  reach: "outward",
  scopes: ["groups:write"],
  arguments: z.strictObject({ group: GroupTarget, person: Person }),
  positionals: ["group", "person"],
  result: z.object({ group: z.string(), person: z.string() }),
  presentation: { as: "text", text: ({ group, person }) => `${person} is no longer in ${group}` },
  examples: [
    {
      command: "groups remove Design rin@example.com",
      note: "Removes access granted only through the group",
    },
  ],
  keywords: ["leave", "take out of team", "remove from team"],
  failures: ["not_found", "conflict"],
  async run(context, { group, person }) {
    const { undo, ...changed } = await changeGroupMember(context, { group, person, isMember: false });
    context.recordUndo(undo);
    return changed;
  },
  undo: { payload: GroupMemberUndo, run: undoGroupMember },
});
