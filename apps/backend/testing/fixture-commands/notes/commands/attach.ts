import { localFile } from "@svc/command-router/arguments/local-file";
import { z } from "zod";
import { defineCommand } from "../../../../src/platform/commands/define-command.ts";
import { addNote } from "../note.ts";

export default defineCommand({
  summary: "Add a file as a note",
  category: "Notes",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["notes:write"],
  arguments: z.strictObject({
    source: localFile("The file to send"),
    name: z.string().max(1_000).optional().describe("Instead of the file's own name"),
  }),
  positionals: ["source"],
  result: z.object({ id: z.string(), name: z.string(), size: z.int(), sha256: z.string() }),
  presentation: { as: "text", text: ({ name, size }) => `Attached ${name} (${size} bytes)` },
  examples: [{ command: "notes attach ./report.pdf", note: "Under its own name" }],
  failures: ["conflict", "too_large"],
  beforeUpload: async () => {},
  async run(context, { source, name = source }) {
    const upload = context.uploads.get(source);
    if (!upload) throw new Error("the surface did not bring the file");
    const { size, sha256 } = upload;
    const id = await addNote(context, { text: name, sha256, size });
    context.recordChange({ action: "create", type: "note", name, after: { size, sha256 } });
    await context.blobs.put(upload);
    return { id, name, size, sha256 };
  },
});
