import { z } from "zod";
import { defineCommand } from "../../../../src/platform/commands/define-command.ts";
import { findNotes } from "../note.ts";

export default defineCommand({
  summary: "List all notes",
  category: "Notes",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["notes:read"],
  arguments: z.strictObject({}),
  result: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        text: z.string(),
        tags: z.array(z.string()),
        sha256: z.string().optional(),
      }),
    ),
  }),
  presentation: {
    as: "table",
    columns: [
      { field: "text", label: "Text", priority: 9 },
      { field: "tags", label: "Tags", priority: 5 },
      { field: "id", label: "Id", priority: 1 },
    ],
    empty: "There are no notes.",
  },
  examples: [{ command: "notes list", note: "All of them" }],
  failures: [],
  async run(context) {
    const rows = await findNotes(context);
    return {
      items: rows.map(({ id, text, tags, sha256 }) => ({
        id,
        text,
        tags,
        sha256: sha256 ?? undefined,
      })),
    };
  },
});
