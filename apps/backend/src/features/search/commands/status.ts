import { encodeId } from "@svc/protocol/typed-id";
import { analyserVersion } from "@svc/search/analyser/analyse-text";
import { entityTypes } from "@svc/search/index/documents";
import { findShelves, sharedShelves } from "@svc/search/index/shelf";
import { countAll, countVisible } from "@svc/search/inspecting/count-documents";
import { z } from "zod";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { visibilityOf } from "../../findable/findable.ts";
import { isRefused } from "../../query-log/query-log.ts";
import { countDocuments } from "../reindexing/file-reindex.ts";
import { listOpenReindexes, type Reindex } from "../reindexing/reindex-store.ts";

const Kind = z.object({
  entityType: z.enum(entityTypes),
  documents: z.int(),
  outdated: z.int().optional(),
  cut: z.int().optional(),
});
const Running = z.object({
  scope: z.string(),
  state: z.string(),
  done: z.int(),
  total: z.int(),
  operation: z.string().optional(),
});
const Result = z.object({
  kinds: z.array(Kind),
  /** Fields from here on are for administrators. */
  things: z.int().optional(),
  analyserVersion: z.int().optional(),
  reindexing: z.array(Running).optional(),
  shelf: z
    .object({
      id: z.int(),
      isOwn: z.boolean(),
      others: z.array(z.int()).optional(),
      movingTo: z.int().optional(),
    })
    .optional(),
  log: z.enum(["on", "off"]).optional(),
});

export default defineCommand({
  summary: "Show the state of the search index",
  description:
    "Shows how many documents of each kind you can find. For administrators: all documents of the tenant, how many should be indexed, " +
    "how many are from an older analyser or truncated, what is being reindexed, and their shelf.",
  category: "Search",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["search:read"],
  arguments: z.strictObject({}),
  result: Result,
  presentation: { as: "text", text: statusText },
  examples: [{ command: "search status", note: "Shows whether everything can be found" }],
  keywords: ["index health", "indexing progress", "is indexed", "working properly", "state of search"],
  failures: [],
  run: (context) => (context.actor.isAdministrator ? wholeStatus(context) : ownStatus(context)),
});

async function ownStatus(context: CommandContext): Promise<z.input<typeof Result>> {
  const { transaction } = context;
  const visibility = await visibilityOf(context);
  const { all: shelves } = await findShelves(transaction, { hold: false });
  const filters = { entityTypes };
  const source = { tenantId: transaction.tenantId, shelves, visibility, filters, reach: "row" } as const;
  return { kinds: await countVisible(transaction, source) };
}

async function wholeStatus({ transaction, search }: CommandContext): Promise<z.input<typeof Result>> {
  const { all, forNew, isMoving } = await findShelves(transaction, { hold: false });
  const [shelf = 0, ...others] = all.filter((each) => !isMoving || each !== forNew);
  return {
    kinds: await countAll(transaction, analyserVersion),
    things: await countDocuments(transaction, search.sources, {}),
    analyserVersion,
    reindexing: (await listOpenReindexes(transaction)).map(runningView),
    shelf: {
      id: shelf,
      isOwn: shelf >= sharedShelves,
      ...(others.length > 0 ? { others } : {}),
      ...(isMoving ? { movingTo: forNew } : {}),
    },
    log: (await isRefused(transaction, null)) ? "off" : "on",
  };
}

function runningView({ workspaceId, folderId, state, done, total, operationId }: Reindex) {
  const scope = folderId
    ? `folder ${encodeId("folder", folderId)}`
    : workspaceId
      ? `workspace ${encodeId("workspace", workspaceId)}`
      : "everything";
  const operation = operationId === null ? {} : { operation: encodeId("operation", operationId) };
  return { scope, state, done, total, ...operation };
}

function statusText({
  kinds,
  things,
  reindexing = [],
  shelf,
  log,
  ...rest
}: z.output<typeof Result>): string {
  const names = { FILE: "files", FOLDER: "folders", RECORD: "records", WORKSPACE: "workspaces" };
  const all = kinds.reduce((sum, { documents }) => sum + documents, 0);
  const details = ({ outdated, cut }: z.output<typeof Kind>) => [
    ...(outdated ? [`${outdated} from an older analyser`] : []),
    ...(cut ? [`${cut} too long to be indexed completely`] : []),
  ];
  const lines = kinds.map((kind) => {
    const more = details(kind);
    return `  ${kind.documents} ${names[kind.entityType]}${more.length > 0 ? ` (${more.join(", ")})` : ""}`;
  });
  if (things === undefined) return [`You can find ${all} documents:`, ...lines].join("\n");
  return [
    `Indexed ${all} of ${things} documents, with analyser ${rest.analyserVersion}:`,
    ...lines,
    ...reindexing.map(
      ({ scope, state, done, total, operation }) =>
        `Reindexing ${scope}: ${state}, ${done} of ${total}${operation === undefined ? "" : ` (${operation})`}`,
    ),
    ...(shelf ? [shelfLine(shelf)] : []),
    `Queries are ${log === "on" ? "kept for 90 days for search insights" : "not kept"}`,
  ].join("\n");
}

function shelfLine({
  id,
  isOwn,
  others = [],
  movingTo,
}: NonNullable<z.output<typeof Result>["shelf"]>): string {
  const label = others.length > 0 ? `Shelves ${[id, ...others].join(", ")}` : `Shelf ${id}`;
  const place = `${label}, ${isOwn ? "dedicated" : "shared"}`;
  return movingTo === undefined ? place : `${place}; moving to ${movingTo}`;
}
