import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { EntryUndo, setEntry, undoEntry } from "../change-access.ts";
import { Grantee, requireGrantee } from "../grantee.ts";
import { requireInvitee } from "../principals.ts";
import { roles } from "../role.ts";
import { showSubject } from "../show-subject.ts";
import { locateSubject, SubjectTarget } from "../subject.ts";

export default defineCommand({
  summary: "Grant somebody access to a file, folder, collection or workspace",
  description:
    "Applies to everything below, now and later. Names find people you share something with; use the e-mail address or " +
    "the id for anybody else.",
  category: "Access",
  effect: "write",
  agents: "searchable",
  reach: "outward",
  scopes: ["access:write"],
  arguments: z.strictObject({
    subject: SubjectTarget,
    person: Grantee,
    role: z.enum(roles).default("viewer").meta({ description: "Role to grant", short: "r" }),
  }),
  positionals: ["subject", "person"],
  result: z.object({ subject: z.string(), person: z.string(), role: z.string() }),
  presentation: { as: "text", text: ({ subject, person, role }) => `${person} is now ${role} of ${subject}` },
  examples: [
    { command: "access grant /reports rin@example.com --role editor", note: "With everything in it" },
  ],
  keywords: [
    "share",
    "invite",
    "give access",
    "permission",
    "allow",
    "let see",
    "share with",
    "let read",
    "let edit",
  ],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { subject: target, person, role }) {
    const subject = await locateSubject(context, target, "reshape");
    const principal = await requireGrantee(context, subject, person, requireInvitee);
    context.recordUndo(await setEntry(context, subject, principal, role));
    return showSubject(context, subject, { subject: subject.name, person: principal.name, role });
  },
  undo: { payload: EntryUndo, run: undoEntry },
});
