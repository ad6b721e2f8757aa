import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { InheritanceUndo, setInheritance, undoInheritance } from "../change-access.ts";
import { locateSubject, SubjectTarget } from "../subject.ts";

export default defineCommand({
  summary: "Stop what the lists above give, for a file, folder or collection",
  description: "Only its own entries count from then on; owners of the workspace stay.",
  category: "Access",
  effect: "write",
  affects: "access",
  scopes: ["access:write"],
  arguments: z.strictObject({ subject: SubjectTarget }),
  positionals: ["subject"],
  result: z.object({ subject: z.string() }),
  presentation: { as: "text", text: ({ subject }) => `${subject} is restricted to its own list` },
  examples: [{ command: "access restrict /board", note: "Then grant who may see it" }],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { subject: target }) {
    const subject = await locateSubject(context, target, "reshape");
    context.recordUndo(await setInheritance(context, subject, false));
    return { subject: subject.name };
  },
  undo: { payload: InheritanceUndo, run: undoInheritance },
});
