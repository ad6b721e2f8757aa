import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../../src/platform/commands/define-command.ts";
import { dropNote, findNotes } from "../note.ts";

export default defineCommand({
  summary: "Permanently delete a note",
  category: "Notes",
  effect: "destroy",
  agents: "searchable",
  reach: "inside",
  scopes: ["notes:write"],
  arguments: z.strictObject({ id: z.uuid().describe("Id of the note") }),
  positionals: ["id"],
  result: z.object({ id: z.string() }),
  presentation: { as: "text", text: ({ id }) => `Dropped ${id}` },
  examples: [
    { command: "notes drop 01998a3e-0000-7000-8000-000000000000 --confirm true", note: "Permanently" },
  ],
  failures: ["not_found"],
  async run(context, { id }) {
    const [note] = await findNotes(context, id);
    if (!note) throw new ProblemError("not_found", `There is no note \`${id}\`.`);
    await dropNote(context, id);
    context.recordChange({ action: "delete", type: "note", id, name: note.text });
    return { id };
  },
});
