import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { entriesFor } from "../explain.ts";
import { principalId } from "../principals.ts";
import { roles } from "../role.ts";
import { showSubject } from "../show-subject.ts";
import { locateSubject, requireReader, SubjectTarget } from "../subject.ts";

export default defineCommand({
  summary: "Show who has access to a file, folder, collection or workspace",
  description: "Lists its own entries first, then inherited ones from lists that you can read.",
  category: "Access",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["access:read"],
  arguments: z.strictObject({ subject: SubjectTarget.default("/") }),
  positionals: ["subject"],
  result: z.object({
    subject: z.string(),
    inherits: z.boolean().describe("Whether it inherits access"),
    items: z.array(
      z.object({
        person: z.string(),
        email: z.string().optional(),
        kind: z.string(),
        id: z.string().optional(),
        role: z.enum(roles),
        from: z.string().describe("Where this entry was granted"),
      }),
    ),
  }),
  presentation: {
    as: "table",
    columns: [
      { field: "person", label: "Who", priority: 9 },
      { field: "email", label: "E-mail", priority: 6 },
      { field: "kind", label: "Kind", priority: 5 },
      { field: "role", label: "Role", priority: 8 },
      { field: "from", label: "From", priority: 7 },
      { field: "id", label: "Id", priority: 2, as: "id" },
    ],
    empty: "Only owners of the workspace and administrators have access.",
  },
  examples: [{ command: "access show /board --workspace marketing", note: "Who can see the board's folder" }],
  keywords: ["permissions", "acl", "who can see", "shared with", "sharing"],
  failures: ["not_found", "usage"],
  async run(context, { subject: target }) {
    const subject = await locateSubject(context, target);
    requireReader(subject);
    const entries = await entriesFor(context, subject);
    return showSubject(context, subject, {
      subject: subject.name,
      inherits: subject.inherits,
      items: entries.map(({ principalId: id, name, email, kind, role, at }) => ({
        person: name ?? "everyone in the workspace",
        ...(email === null ? {} : { email }),
        kind: kind ?? "everyone",
        ...(kind === null ? {} : { id: principalId({ id, kind }) }),
        role,
        from: at,
      })),
    });
  },
});
