import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { page, pageArguments, pageOf } from "../../../platform/commands/page.ts";
import { OperationView, operationView } from "../operations.ts";
import { listOperations } from "../operations-store.ts";

export default defineCommand({
  summary: "List what you did that can be undone, the latest first",
  description: "An administrator sees what everybody did.",
  category: "History",
  effect: "read",
  scopes: ["operations:read"],
  arguments: z.strictObject({
    ...pageArguments,
    cursor: z.uuid().optional().describe("Where to go on, from `nextCursor` of the page before"),
  }),
  result: pageOf(OperationView.omit({ changes: true })),
  presentation: {
    as: "table",
    columns: [
      { field: "id", label: "Id", priority: 9 },
      { field: "summary", label: "What", priority: 8 },
      { field: "state", label: "State", priority: 7 },
      { field: "actor", label: "Who", priority: 5 },
      { field: "command", label: "Command", priority: 2 },
      { field: "createdAt", label: "When", priority: 3 },
    ],
    empty: "Nothing yet.",
  },
  examples: [{ command: "operations list --limit 5", note: "The last five" }],
  failures: [],
  async run({ transaction, actor }, { limit, cursor }) {
    const rows = await listOperations(transaction, {
      limit: limit + 1,
      ...(actor.isAdministrator ? {} : { actor: actor.id }),
      ...(cursor === undefined ? {} : { before: cursor }),
    });
    return page(rows, limit, operationView, ({ id }) => id);
  },
});
