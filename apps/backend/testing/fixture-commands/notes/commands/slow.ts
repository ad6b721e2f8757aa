import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { defineCommand } from "../../../../src/platform/commands/define-command.ts";
import { addNote } from "../note.ts";

/** Of a stubborn one after an abort. Each is at least one turn of the event loop, in which an answer can be sent. */
const moreSteps = 30;

export default defineCommand({
  summary: "Add a note, slowly",
  category: "Notes",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["notes:write"],
  arguments: z.strictObject({
    text: z.string().describe("Text of the note"),
    steps: z.int().default(3).describe("How many"),
    millis: z.int().default(1).describe("How long each takes"),
    stubborn: z.boolean().default(false).describe("Take more steps after an abort"),
    fails: z.boolean().default(false).describe("End with an error"),
  }),
  positionals: ["text"],
  result: z.object({ id: z.string() }),
  presentation: { as: "text", text: () => "Added at last" },
  examples: [{ command: "notes slow hello --steps 5", note: "In five steps" }],
  failures: [],
  async run(context, { text, steps, millis, stubborn, fails }) {
    const { signal, progress, log } = context;
    log.info(`${text}: begins${signal.aborted ? " aborted" : ""}`);
    const id = await addNote(context, { text });
    let last = steps;
    for (let done = 1; done <= last; done += 1) {
      await (stubborn ? sleep(millis) : sleep(millis, undefined, { signal }).catch(() => {}));
      progress({ label: "Writing", done, total: steps, unit: "steps" });
      if (!signal.aborted) continue;
      if (!stubborn) {
        log.info(`${text}: stops`);
        signal.throwIfAborted();
      }
      last = Math.min(last, done + moreSteps);
    }
    if (fails) throw new Error("secret detail of /etc/passwd");
    log.info(`${text}: ends`);
    context.recordChange({ action: "create", type: "note", name: text });
    return { id };
  },
});
