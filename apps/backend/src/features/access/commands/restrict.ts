import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { InheritanceUndo, setInheritance, undoInheritance } from "../change-access.ts";
import { showSubject } from "../show-subject.ts";
import { locateSubject, SubjectTarget } from "../subject.ts";

export default defineCommand({
  summary: "Stop inherited access to a file, folder or collection",
  description: "Only its own entries apply from then on. Owners of the workspace keep access.",
  category: "Access",
  effect: "write",
  agents: "searchable",
  reach: "outward",
  scopes: ["access:write"],
  arguments: z.strictObject({ subject: SubjectTarget }),
  positionals: ["subject"],
  result: z.object({ subject: z.string() }),
  presentation: { as: "text", text: ({ subject }) => `${subject} is restricted to its own access list` },
  examples: [{ command: "access restrict /board", note: "Then use `access grant` to give access" }],
  keywords: [
    "private",
    "lock",
    "hide",
    "confidential",
    "stop sharing",
    "limit access",
    "make private",
    "only certain people",
    "secret",
  ],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { subject: target }) {
    const subject = await locateSubject(context, target, "reshape");
    context.recordUndo(await setInheritance(context, subject, false));
    return showSubject(context, subject, { subject: subject.name });
  },
  undo: { payload: InheritanceUndo, run: undoInheritance },
});
