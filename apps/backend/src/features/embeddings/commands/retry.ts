import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { retryFailed } from "../parked-store.ts";

export default defineCommand({
  summary: "Retry files that failed",
  description:
    "Queues parked files (see `embeddings parked`), and retries files that were scheduled for later " +
    "in the current or next run. Cannot be undone and does not need to be: files that fail again are parked again.",
  category: "Search",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["search:write"],
  arguments: z.strictObject({}),
  result: z.object({ files: z.int() }),
  presentation: {
    as: "text",
    text: ({ files }) =>
      files === 0 ? "No failed files." : `Queued ${files} files. To start now, run \`svc embeddings run\`.`,
  },
  examples: [{ command: "embeddings retry", note: "After the embedder was fixed" }],
  keywords: ["try again", "repeat", "failed files", "another go", "failed embeddings"],
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
