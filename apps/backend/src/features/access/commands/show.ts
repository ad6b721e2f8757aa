import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { entriesFor } from "../explain.ts";
import { principalId } from "../principals.ts";
import { roles } from "../role.ts";
import { locateSubject, requireReader, SubjectTarget } from "../subject.ts";

export default defineCommand({
  summary: "Show who may see or change a file, a folder, a collection or a workspace",
  description:
    "Entries of its own list first, then those of the lists above that it follows, as far as you have a role there.",
  category: "Access",
  effect: "read",
  scopes: ["access:read"],
  arguments: z.strictObject({ subject: SubjectTarget.default("/") }),
  positionals: ["subject"],
  result: z.object({
    subject: z.string(),
    inherits: z.boolean().describe("Whether the lists above count too"),
    items: z.array(
      z.object({
        person: z.string(),
        email: z.string().optional(),
        kind: z.string(),
        id: z.string().optional(),
        role: z.enum(roles),
        from: z.string().describe("Where the list stands that has this entry"),
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
      { field: "id", label: "Id", priority: 2 },
    ],
    empty: "Nobody but the owners of the workspace and administrators.",
  },
  examples: [{ command: "access show /board --workspace marketing", note: "Who sees the board's folder" }],
  failures: ["not_found", "usage"],
  async run(context, { subject: target }) {
    const subject = await locateSubject(context, target);
    requireReader(subject);
    const entries = await entriesFor(context, subject);
    return {
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
    };
  },
});
