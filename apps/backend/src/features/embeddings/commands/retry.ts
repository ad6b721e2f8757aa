import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { retryFailed } from "../parked-store.ts";

export default defineCommand({
  summary: "Try again what failed",
  description:
    "Files that were given up, as `embeddings parked` lists them, wait again, and those that were to be tried later are tried " +
    "in the run that is going on or comes next. It cannot be undone, and needs no undoing: what fails again is given up again.",
  category: "Search",
  effect: "write",
  scopes: ["search:write"],
  arguments: z.strictObject({}),
  result: z.object({ files: z.int() }),
  presentation: {
    as: "text",
    text: ({ files }) =>
      files === 0 ? "Nothing has failed." : `${files} files wait again. To begin now: svc embeddings run`,
  },
  examples: [{ command: "embeddings retry", note: "After the embedder was mended" }],
  failures: [],
  async run(context) {
    requireAdministrator(context);
    const files = await retryFailed(context.transaction);
    if (files > 0) {
      context.recordChange({
        action: "update",
        type: "embedding queue",
        name: `${files} files`,
        after: { files },
      });
    }
    return { files };
  },
});
