import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { beginBackgroundOperation } from "../../../platform/jobs/operations-store.ts";
import { giveOperation, readRun, startRun } from "../run-store.ts";

export default defineCommand({
  summary: "Embed waiting files now, without waiting for the schedule",
  description:
    "Embeds all waiting files of all workspaces with semantic search, within the budget. Starts within seconds and continues " +
    "in the background; embedded texts are not paid for again. If a run is already in progress, returns that one. " +
    "Cannot be undone and does not need to be.",
  category: "Search",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["search:write"],
  arguments: z.strictObject({}),
  result: z.object({ operation: z.string().optional(), files: z.int(), alreadyRunning: z.boolean() }),
  presentation: {
    as: "text",
    text: ({ operation, files, alreadyRunning }) =>
      [
        alreadyRunning ? `A run is already in progress (${files} files).` : `Embedding ${files} files.`,
        operation === undefined
          ? "Progress: svc embeddings status"
          : `Progress: svc operations show ${operation} --follow`,
      ].join("\n"),
  },
  examples: [{ command: "embeddings run", note: "After raising the budget or uploading many files" }],
  keywords: ["embed now", "vectorize", "start now", "index meaning"],
  failures: [],
  async run(context) {
    requireAdministrator(context);
    const { transaction, now } = context;
    const run = await startRun(transaction, now);
    if (!run) {
      const { total = 0, operationId = null } = (await readRun(transaction)) ?? {};
      return {
        ...(operationId === null ? {} : { operation: encodeId("operation", operationId) }),
        files: total,
        alreadyRunning: true,
      };
    }
    const { total } = run;
    const change = {
      action: "create" as const,
      type: "embedding run",
      name: `${total} files`,
      after: { files: total },
    };
    context.recordChange(change);
    const operation = await beginBackgroundOperation(transaction, {
      command: "embeddings run",
      changes: [change],
      total,
      unit: "files",
    });
    await giveOperation(transaction, operation);
    return { operation: encodeId("operation", operation), files: total, alreadyRunning: false };
  },
});
