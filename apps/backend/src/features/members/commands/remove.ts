import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { findEntry, Person, requirePrincipal } from "../../access/access.ts";
import { currentWorkspace, requireRole } from "../../workspaces/workspaces.ts";
import { MemberUndo, setMember, undoMember } from "../change-member.ts";
import { MemberView } from "../members.ts";

export default defineCommand({
  summary: "Remove somebody from a workspace",
  category: "Workspaces",
  effect: "write",
  agents: "searchable",
  reach: "outward",
  scopes: ["members:write"],
  arguments: z.strictObject({ person: Person }),
  positionals: ["person"],
  result: MemberView.omit({ role: true }).extend({ workspace: z.string() }),
  presentation: { as: "text", text: ({ name, workspace }) => `${name} is no longer in ${workspace}` },
  examples: [{ command: "members remove rin@example.com --workspace marketing", note: "By e-mail address" }],
  keywords: [
    "kick",
    "leave workspace",
    "remove user",
    "remove person",
    "take off",
    "left the company",
    "no longer works here",
  ],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { person }) {
    const workspace = await currentWorkspace(context);
    requireRole(context, workspace, "owner");
    const principal = await requirePrincipal(context, person);
    if ((await findEntry(context.transaction, workspace.id, principal.id)) === undefined) {
      throw new ProblemError("not_found", `${principal.name} is not in ${workspace.name}.`);
    }
    const { view, undo } = await setMember(context, workspace, principal, undefined);
    context.recordUndo(undo);
    return { ...view, workspace: workspace.name };
  },
  undo: { payload: MemberUndo, run: undoMember },
});
