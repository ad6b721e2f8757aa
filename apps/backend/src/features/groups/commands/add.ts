import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { Person } from "../../access/access.ts";
import { changeGroupMember, GroupMemberUndo, GroupTarget, undoGroupMember } from "../groups.ts";

export default defineCommand({
  summary: "Add a person or another group to a group",
  category: "Access",
  effect: "write",
  agents: "searchable",
  reach: "outward",
  scopes: ["groups:write"],
  arguments: z.strictObject({ group: GroupTarget, person: Person }),
  positionals: ["group", "person"],
  result: z.object({ group: z.string(), person: z.string() }),
  presentation: { as: "text", text: ({ group, person }) => `${person} is now in ${group}` },
  examples: [
    { command: "groups add Design rin@example.com", note: "Gives them the access that the group has" },
  ],
  keywords: ["add to team", "join", "put into group"],
  failures: ["not_found", "conflict"],
  async run(context, { group, person }) {
    const { undo, ...changed } = await changeGroupMember(context, { group, person, isMember: true });
    context.recordUndo(undo);
    return changed;
  },
  undo: { payload: GroupMemberUndo, run: undoGroupMember },
});
