import { isAi } from "@svc/command-router/decide";
import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { retryNote } from "../../../platform/text/retry-note.ts";
import { readTextPart } from "../text-store.ts";
import { FilePath, locateFile } from "../tree/tree.ts";
import { wantFile } from "../want-file.ts";

/** More than any text has: texts are cut at 2 MiB when they are read. */
const mostCharacters = 1_000_000_000;
/** What a model can read at once; the answer says where to continue. */
const mostForAgents = 20_000;

export default defineCommand({
  summary: "Print the text of a file",
  description:
    "Prints the text that was extracted for search. To download the file itself, use `files get`. " +
    "--offset and --limit count characters (Unicode code points), as `start` of a passage in `search query --passages` does. " +
    "Agents get 20,000 at a time unless they say --limit.",
  category: "Files",
  aliases: ["cat"],
  effect: "read",
  agents: "listed",
  reach: "inside",
  scopes: ["files:read"],
  arguments: z.strictObject({
    target: FilePath.describe("Path or id of the file"),
    offset: z.int().min(0).max(mostCharacters).default(0).describe("Characters to skip"),
    limit: z
      .int()
      .min(1)
      .max(mostCharacters)
      .optional()
      .meta({ description: "Maximum number of characters", short: "n" }),
  }),
  positionals: ["target"],
  shows: "file",
  result: z.object({
    path: z.string(),
    outcome: z.string(),
    text: z.string(),
    nextOffset: z.int().optional().describe("Where to continue, if there is more"),
  }),
  presentation: { as: "text", text: ({ text }) => text, isVerbatim: true },
  examples: [
    { command: "files cat /notes/todo.md", note: "Works for PDF, Word and similar formats too" },
    { command: "files cat /notes/todo.md --offset 4000 --limit 2000", note: "A part of it" },
  ],
  keywords: ["read", "print", "text", "contents", "view", "open", "show text", "extract"],
  failures: ["not_found", "conflict", "usage"],
  async run(context, { target, offset, limit: wanted }) {
    const limit =
      wanted ??
      (isAi({ actorKind: context.actor.kind, inSession: context.inSession })
        ? mostForAgents
        : mostCharacters);
    const { node, path } = await locateFile(context, target);
    const found = await readTextPart(context.transaction, node, { offset, limit });
    if (!found || (found.isEmpty && found.outcome !== "empty")) {
      const outcome = `${path} has no readable text (${found?.outcome ?? "unsupported"}).`;
      const note = found && retryNote(found);
      throw new ProblemError("conflict", note === undefined ? outcome : `${outcome} ${note}`, {
        hint: `\`svc files get ${path}\` downloads the file itself.`,
      });
    }
    wantFile(context, node.id);
    const { outcome, text, hasMore } = found;
    return { path, outcome, text, ...(hasMore ? { nextOffset: offset + limit } : {}) };
  },
});
