import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { notCursor, pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { listAudit } from "../audit-store.ts";

export default defineCommand({
  summary: "List committed, previewed and refused commands, newest first",
  description:
    "Long arguments are truncated. After 20 refusals of one caller within a minute, one entry counts the rest.",
  category: "History",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["audit:read"],
  arguments: z.strictObject({
    ...pageArguments,
    cursor: z
      .string()
      .regex(/^\d{1,15}$/, notCursor)
      .optional()
      .describe("Where to continue, from `nextCursor` of the previous page"),
    command: z.string().max(100).optional().describe("Only this command, such as `workspaces delete`"),
    outcome: z
      .enum(["committed", "previewed", "refused"])
      .optional()
      .describe("Only entries with this outcome"),
  }),
  result: pageOf(
    z.object({
      sequence: z.int(),
      at: z.iso.datetime(),
      actor: z.string(),
      command: z.string(),
      arguments: z.string(),
      outcome: z.string(),
      code: z.string().optional(),
      operation: z.string().optional(),
      line: z.int().optional().describe("Number of the line in its batch"),
      more: z.int().optional().describe("Number of further refusals counted in this entry"),
      requestId: z.string(),
      callerRequestId: z
        .string()
        .optional()
        .describe("What the caller called the request; anybody can choose it"),
    }),
  ),
  presentation: {
    as: "table",
    columns: [
      { field: "sequence", label: "No", align: "right", priority: 5, as: "count" },
      { field: "at", label: "When", priority: 6, as: "time" },
      { field: "actor", label: "Who", priority: 8 },
      { field: "command", label: "Command", priority: 9 },
      { field: "arguments", label: "Arguments", priority: 3 },
      { field: "outcome", label: "Outcome", priority: 7 },
      { field: "code", label: "Reason", priority: 2 },
    ],
    empty: "No entries yet.",
  },
  examples: [
    { command: "audit list --outcome refused", note: "What people tried without permission" },
    { command: 'audit list --command "tokens create"', note: "Who created tokens" },
  ],
  keywords: [
    "log",
    "audit trail",
    "activity",
    "who did",
    "events",
    "refused",
    "who deleted",
    "who changed",
    "history of actions",
    "what happened",
  ],
  failures: [],
  async run(context, { limit, cursor, command, outcome }) {
    requireAdministrator(context);
    const page = await readPage(limit, (most) =>
      listAudit(context.transaction, {
        limit: most,
        before: cursor === undefined ? undefined : Number(cursor),
        command,
        outcome,
      }),
    );
    const toItem = ({ sequence, at, actorName, entry, ...row }: (typeof page.rows)[number]) => ({
      sequence,
      at: at.toISOString(),
      actor: actorName ?? "-",
      command: row.command,
      // An entry that counts refusals has no arguments; its cell says what it is.
      arguments:
        entry.more === undefined
          ? JSON.stringify(entry.arguments ?? {})
          : `(${entry.more} more refusals within a minute)`,
      outcome: row.outcome,
      ...(entry.code === undefined ? {} : { code: entry.code }),
      ...(entry.operation === undefined ? {} : { operation: entry.operation }),
      ...(entry.line === undefined ? {} : { line: entry.line }),
      ...(entry.more === undefined ? {} : { more: entry.more }),
      requestId: entry.requestId ?? "",
      ...(entry.callerRequestId === undefined ? {} : { callerRequestId: entry.callerRequestId }),
    });
    return pageView(page, toItem, ({ sequence }) => String(sequence));
  },
});
