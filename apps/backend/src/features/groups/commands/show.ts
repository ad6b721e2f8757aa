import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { principalId } from "../../access/access.ts";
import { GroupTarget, requireGroup } from "../groups.ts";
import { listGroupMembers } from "../groups-store.ts";

export default defineCommand({
  summary: "Show the members of a group",
  category: "Access",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["groups:read"],
  arguments: z.strictObject({ group: GroupTarget }),
  positionals: ["group"],
  shows: "group",
  result: z.object({
    group: z.string(),
    items: z.array(
      z.object({ id: z.string(), kind: z.string(), name: z.string(), email: z.string().optional() }),
    ),
  }),
  presentation: {
    as: "table",
    columns: [
      { field: "name", label: "Name", priority: 9 },
      { field: "email", label: "E-mail", priority: 6 },
      { field: "kind", label: "Kind", priority: 5 },
      { field: "id", label: "Id", priority: 3, as: "id" },
    ],
    empty: "This group has no members.",
  },
  examples: [{ command: "groups show Design", note: "People and groups in it" }],
  keywords: ["team members", "who is in group"],
  failures: ["not_found", "conflict"],
  async run(context, { group: target }) {
    const group = await requireGroup(context, target);
    const members = await listGroupMembers(context.transaction, group.id);
    return {
      group: group.name,
      items: members.map((member) => ({
        id: principalId(member),
        kind: member.kind,
        name: member.name,
        ...(member.email === null ? {} : { email: member.email }),
      })),
    };
  },
});
