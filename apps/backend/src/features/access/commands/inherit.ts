import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { InheritanceUndo, setInheritance, undoInheritance } from "../change-access.ts";
import { showSubject } from "../show-subject.ts";
import { locateSubject, SubjectTarget } from "../subject.ts";

export default defineCommand({
  summary: "Allow inherited access again for a file, folder or collection",
  description: "Its own entries stay.",
  category: "Access",
  effect: "write",
  agents: "searchable",
  reach: "outward",
  scopes: ["access:write"],
  arguments: z.strictObject({ subject: SubjectTarget }),
  positionals: ["subject"],
  result: z.object({ subject: z.string() }),
  presentation: { as: "text", text: ({ subject }) => `${subject} inherits access again` },
  examples: [{ command: "access inherit /board", note: "Removes a restriction" }],
  keywords: [
    "unrestrict",
    "reopen",
    "inherit permissions",
    "follow parent",
    "same as parent",
    "undo restrict",
    "normal sharing",
  ],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { subject: target }) {
    const subject = await locateSubject(context, target, "reshape");
    context.recordUndo(await setInheritance(context, subject, true));
    return showSubject(context, subject, { subject: subject.name });
  },
  undo: { payload: InheritanceUndo, run: undoInheritance },
});
