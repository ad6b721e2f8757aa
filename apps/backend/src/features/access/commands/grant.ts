import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { EntryUndo, setEntry, undoEntry } from "../change-access.ts";
import { Grantee, requireGrantee } from "../grantee.ts";
import { requireInvitee } from "../principals.ts";
import { roles } from "../role.ts";
import { locateSubject, SubjectTarget } from "../subject.ts";

export default defineCommand({
  summary: "Let somebody see or change a file, a folder, a collection or a workspace",
  description:
    "It holds for all that lies below, now and later. Names find people you share something with; use the e-mail address or " +
    "the id for anybody else.",
  category: "Access",
  effect: "write",
  affects: "access",
  scopes: ["access:write"],
  arguments: z.strictObject({
    subject: SubjectTarget,
    person: Grantee,
    role: z.enum(roles).default("viewer").meta({ description: "What he may do", short: "r" }),
  }),
  positionals: ["subject", "person"],
  result: z.object({ subject: z.string(), person: z.string(), role: z.string() }),
  presentation: { as: "text", text: ({ subject, person, role }) => `${person} is now ${role} of ${subject}` },
  examples: [
    { command: "access grant /reports rin@example.com --role editor", note: "And all that is in it" },
  ],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { subject: target, person, role }) {
    const subject = await locateSubject(context, target, "reshape");
    const principal = await requireGrantee(context, subject, person, requireInvitee);
    context.recordUndo(await setEntry(context, subject, principal, role));
    return { subject: subject.name, person: principal.name, role };
  },
  undo: { payload: EntryUndo, run: undoEntry },
});
