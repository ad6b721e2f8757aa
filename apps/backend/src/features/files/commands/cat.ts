import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { retryNote } from "../../../platform/text/retry-note.ts";
import { readText } from "../text-store.ts";
import { FilePath, locateFile } from "../tree/tree.ts";
import { wantFile } from "../want-file.ts";

export default defineCommand({
  summary: "Print the text of a file",
  description: "Prints the text that was extracted for search. To download the file itself, use `files get`.",
  category: "Files",
  aliases: ["cat"],
  effect: "read",
  agents: "listed",
  reach: "inside",
  scopes: ["files:read"],
  arguments: z.strictObject({ target: FilePath.describe("Path or id of the file") }),
  positionals: ["target"],
  result: z.object({ path: z.string(), outcome: z.string(), text: z.string() }),
  presentation: { as: "text", text: ({ text }) => text, isVerbatim: true },
  examples: [{ command: "files cat /notes/todo.md", note: "Works for PDF, Word and similar formats too" }],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { target }) {
    const { node, path } = await locateFile(context, target);
    const found = await readText(context.transaction, node);
    if (!found || (found.text === "" && found.outcome !== "empty")) {
      const outcome = `${path} has no readable text (${found?.outcome ?? "unsupported"}).`;
      const note = found && retryNote(found);
      throw new ProblemError("conflict", note === undefined ? outcome : `${outcome} ${note}`, {
        hint: `\`svc files get ${path}\` downloads the file itself.`,
      });
    }
    wantFile(context, node.id);
    return { path, outcome: found.outcome, text: found.text };
  },
});
