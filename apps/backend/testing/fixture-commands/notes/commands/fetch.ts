import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../../src/platform/commands/define-command.ts";
import { findNotes } from "../note.ts";

export default defineCommand({
  summary: "Get the file of a note",
  category: "Notes",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["notes:read"],
  arguments: z.strictObject({
    id: z.uuid().describe("Id of the note"),
    mediaType: z.string().default("text/plain").describe("Media type of its content"),
  }),
  positionals: ["id"],
  result: z.object({
    name: z.string(),
    id: z.string(),
    version: z.int(),
    size: z.int(),
    sha256: z.string(),
    mediaType: z.string(),
  }),
  presentation: { as: "file" },
  examples: [{ command: "notes fetch 01998a3e-0000-7000-8000-000000000000", note: "Its file" }],
  failures: ["not_found"],
  async run(context, { id, mediaType }) {
    const [note] = await findNotes(context, id);
    if (!note || note.sha256 === null || note.size === null) {
      throw new ProblemError("not_found", `There is no note \`${id}\` with a file.`);
    }
    return { name: note.text, id, version: 1, size: note.size, sha256: note.sha256, mediaType };
  },
  async beforeDownload(context, files) {
    for (const { id } of files) {
      const [note] = await findNotes(context, id);
      if (!note) throw new ProblemError("not_found", `There is no note \`${id}\`.`);
    }
  },
});
