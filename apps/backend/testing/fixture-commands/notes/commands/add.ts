import { z } from "zod";
import { defineCommand } from "../../../../src/platform/commands/define-command.ts";
import { addNote, dropNote } from "../note.ts";

export default defineCommand({
  summary: "Add a note",
  category: "Notes",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["notes:write"],
  arguments: z.strictObject({
    text: z.string().min(1).max(10_000).describe("Text of the note"),
    tag: z
      .array(z.string().max(50))
      .max(10)
      .default([])
      .meta({ description: "Tag to find it by", short: "t" }),
    label: z
      .string()
      .optional()
      .meta({ description: "What tags were called", deprecation: "use --tag instead" }),
  }),
  positionals: ["text"],
  result: z.object({ id: z.string(), text: z.string(), tags: z.array(z.string()) }),
  presentation: { as: "text", text: ({ text }) => `Added ${text}` },
  examples: [{ command: "notes add hello --tag greeting", note: "With a tag" }],
  failures: [],
  routes: [
    {
      path: "/api/v1/notes",
      body: z.strictObject({ note: z.string().max(100) }).transform(({ note }) => ({ text: note })),
      answer: ({ id }) => ({ noteId: id }),
      answerSchema: z.object({ noteId: z.string() }),
      status: 202,
    },
    {
      path: "/api/v1/notes/tagged",
      body: z
        .strictObject({ note: z.string().max(100), tag: z.string() })
        .transform(({ note, tag }) => ({ text: note, tag: [tag] })),
      answer: ({ tags }) => ({ tags }),
      answerSchema: z.object({ tags: z.array(z.string()) }),
    },
  ],
  async run(context, { text, tag, label }) {
    const tags = [...tag, ...(label === undefined ? [] : [label])];
    const id = await addNote(context, { text, tags });
    context.recordChange({ action: "create", type: "note", name: text });
    context.recordUndo({ id });
    return { id, text, tags };
  },
  undo: {
    payload: z.object({ id: z.string() }),
    run: async (context, { id }) => {
      await dropNote(context, id);
      return { id };
    },
  },
});
