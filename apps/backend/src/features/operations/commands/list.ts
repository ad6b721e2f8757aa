import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { OperationView, operationView } from "../operation-view.ts";
import { listOperations } from "../operations-store.ts";
import { visibleOperations } from "../own-operations.ts";

/** `svc undo` takes the end of an id. */
const shownEnd = 4;

export default defineCommand({
  summary: "List operations that can be undone, newest first",
  description: "Lists your own operations. Administrators see everybody's.",
  category: "History",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["operations:read"],
  arguments: z.strictObject({
    ...pageArguments,
    cursor: z.uuid().optional().describe("Where to continue, from `nextCursor` of the previous page"),
  }),
  lists: "operation",
  result: pageOf(OperationView),
  presentation: {
    as: "table",
    columns: [
      { field: "id", label: "Id", priority: 9 },
      { field: "summary", label: "What", priority: 8 },
      { field: "state", label: "State", priority: 7 },
      { field: "actor", label: "Who", priority: 5 },
      { field: "command", label: "Command", priority: 2 },
      { field: "createdAt", label: "When", priority: 3, as: "time" },
    ],
    columnsOf: () => [
      { field: "end", label: "Id", priority: 9, cell: ({ id }) => String(id).slice(-shownEnd) },
      { field: "summary", label: "What", priority: 8 },
      { field: "state", label: "State", priority: 7 },
      { field: "actor", label: "Who", priority: 5 },
      { field: "createdAt", label: "When", priority: 6, as: "time" },
      { field: "command", label: "Command", priority: 2 },
      { field: "id", label: "Whole id", priority: 1, as: "id" },
    ],
    empty: "No operations yet.",
  },
  examples: [{ command: "operations list --limit 5", note: "The last five" }],
  keywords: [
    "what did i do",
    "recent changes",
    "my changes",
    "undo history",
    "running",
    "background jobs",
    "what have i done",
  ],
  failures: [],
  async run(context, { limit, cursor }) {
    const whose = visibleOperations(context);
    const page = await readPage(limit, (most) =>
      listOperations(context.transaction, { ...whose, limit: most, before: cursor }),
    );
    return pageView(page, operationView, ({ id }) => id);
  },
});
