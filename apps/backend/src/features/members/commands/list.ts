import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { principalId } from "../../access/access.ts";
import { currentWorkspace, requireRole } from "../../workspaces/workspaces.ts";
import { AccountState, accountState, MemberView } from "../members.ts";
import { listMembers } from "../members-store.ts";

export default defineCommand({
  summary: "List the members of a workspace",
  category: "Workspaces",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["members:read"],
  arguments: z.strictObject({
    ...pageArguments,
    cursor: z.uuid().optional().describe("Where to continue, from `nextCursor` of the previous page"),
  }),
  lists: "person",
  result: pageOf(MemberView.extend({ state: AccountState, since: z.iso.datetime() })),
  presentation: {
    as: "table",
    columns: [
      { field: "name", label: "Name", priority: 9 },
      { field: "email", label: "E-mail", priority: 6 },
      { field: "role", label: "Role", priority: 8 },
      { field: "kind", label: "Kind", priority: 5 },
      { field: "state", label: "State", priority: 4 },
      { field: "id", label: "Id", priority: 3, as: "id" },
      { field: "since", label: "Since", priority: 1, as: "time" },
    ],
    empty: "This workspace has no members.",
  },
  examples: [{ command: "members list --workspace marketing", note: "Everybody in a workspace" }],
  keywords: [
    "who is in workspace",
    "users",
    "people",
    "team",
    "everyone in workspace",
    "staff directory",
    "roles of people",
  ],
  failures: ["not_found", "usage"],
  async run(context, { limit, cursor }) {
    const workspace = await currentWorkspace(context);
    requireRole(context, workspace, "viewer");
    const page = await readPage(limit, (most) =>
      listMembers(context.transaction, workspace.id, {
        limit: most,
        after: cursor,
      }),
    );
    const toItem = (member: (typeof page.rows)[number]) => ({
      id: principalId(member),
      kind: member.kind,
      name: member.name,
      ...(member.email === null ? {} : { email: member.email }),
      role: member.role,
      state: accountState(member),
      since: member.since.toISOString(),
    });
    return pageView(page, toItem, ({ id }) => id);
  },
});
