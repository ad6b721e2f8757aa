import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { EntryUndo, setEntry, undoEntry } from "../change-access.ts";
import { Grantee, requireGrantee } from "../grantee.ts";
import { requirePrincipal } from "../principals.ts";
import { showSubject } from "../show-subject.ts";
import { locateSubject, SubjectTarget } from "../subject.ts";

export default defineCommand({
  summary: "Revoke access that was granted",
  description: "Inherited access stays; to stop it, use `access restrict`.",
  category: "Access",
  effect: "write",
  agents: "searchable",
  reach: "outward",
  scopes: ["access:write"],
  arguments: z.strictObject({ subject: SubjectTarget, person: Grantee }),
  positionals: ["subject", "person"],
  result: z.object({ subject: z.string(), person: z.string() }),
  presentation: {
    as: "text",
    text: ({ subject, person }) => `Revoked the entry of ${person} on ${subject}`,
  },
  examples: [{ command: "access revoke /reports rin@example.com", note: "Removes one entry" }],
  keywords: ["unshare", "take away access", "remove permission", "withdraw", "stop sharing"],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { subject: target, person }) {
    const subject = await locateSubject(context, target, "reshape");
    const principal = await requireGrantee(context, subject, person, requirePrincipal);
    context.recordUndo(await setEntry(context, subject, principal, undefined));
    return showSubject(context, subject, { subject: subject.name, person: principal.name });
  },
  undo: { payload: EntryUndo, run: undoEntry },
});
