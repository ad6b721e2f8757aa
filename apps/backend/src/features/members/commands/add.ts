import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { Person, requireInvitee } from "../../access/access.ts";
import { currentWorkspace, requireRole } from "../../workspaces/workspaces.ts";
import { MemberUndo, setMember, undoMember } from "../change-member.ts";
import { MemberRole, MemberView } from "../members.ts";

export default defineCommand({
  summary: "Give somebody a role in a workspace",
  description:
    "If they are already a member, changes their role. Names find people you share something with; use the e-mail address or " +
    "the id for anybody else.",
  category: "Workspaces",
  effect: "write",
  agents: "searchable",
  reach: "outward",
  scopes: ["members:write"],
  arguments: z.strictObject({
    person: Person,
    role: MemberRole.default("viewer").meta({ description: "Role in the workspace", short: "r" }),
  }),
  positionals: ["person"],
  result: MemberView.extend({ workspace: z.string() }),
  presentation: { as: "text", text: ({ name, role, workspace }) => `${name} is now ${role} of ${workspace}` },
  examples: [
    { command: "members add rin@example.com --role editor --workspace marketing", note: "By e-mail address" },
  ],
  keywords: [
    "invite",
    "join workspace",
    "add person",
    "add user",
    "role",
    "bring in",
    "give role",
    "make editor",
  ],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { person, role }) {
    const workspace = await currentWorkspace(context);
    // guard: inviting-needs-owner
    requireRole(context, workspace, "owner");
    const principal = await requireInvitee(context, person);
    const { view, undo } = await setMember(context, workspace, principal, role);
    context.recordUndo(undo);
    return { ...view, role, workspace: workspace.name };
  },
  undo: { payload: MemberUndo, run: undoMember },
});
