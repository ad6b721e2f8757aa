import { mostParts } from "@svc/command-router/arguments/batch-lines";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";

const UndoPayload = z.object({
  parts: z.array(
    z.object({
      command: z.string(),
      payload: z.unknown(),
      changeId: z.uuid(),
      line: z.int().optional(),
    }),
  ),
});

export default defineCommand({
  summary: "Run several commands as one",
  description:
    "Runs lines one after the other, each a command that changes something, as typed after `svc`. Later lines see what earlier ones did. " +
    "All of them happen, or none: one preview, one approval and one undo are for the whole. " +
    `Put words with spaces in quotes. An argument may hold several lines, ${mostParts} in all.`,
  category: "History",
  effect: "write",
  agents: "listed",
  reach: "inside",
  scopes: ["batch:write"],
  holdsLines: true,
  arguments: z.strictObject({
    lines: z
      .array(z.string().min(1).max(10_000))
      .min(1)
      .max(mostParts)
      .describe("Commands, such as `files move /a.txt /archive`"),
  }),
  positionals: ["lines"],
  result: z.object({
    items: z.array(z.object({ command: z.string(), data: z.unknown() })),
  }),
  presentation: {
    as: "text",
    text: ({ items }) => (items.length === 1 ? "Ran 1 command." : `Ran ${items.length} commands.`),
  },
  examples: [
    {
      command: 'batch run "files mkdir /2025" "files move /q1.pdf /2025" "files move /q2.pdf /2025"',
      note: "All of it or nothing; `svc undo` takes all of it back",
    },
    {
      command: 'batch run "files delete /drafts" --dry-run',
      note: 'Lines of a file go in as "$(cat changes.txt)"',
    },
  ],
  keywords: ["several", "many", "at once", "transaction", "script", "all or nothing", "bulk"],
  failures: ["not_found", "conflict", "usage"],
  async run(context) {
    const done = await context.runParts();
    const parts = done.flatMap(({ undo }) => undo ?? []);
    if (parts.length > 0) context.recordUndo({ parts });
    return { items: done.map(({ command, data }) => ({ command, data })) };
  },
  undo: {
    payload: UndoPayload,
    run: async (context, { parts }, operation) => ({ parts: await context.undoParts(parts, operation) }),
  },
});
