import { remotePath } from "@svc/command-router/arguments/address";
import { ProblemError } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import { enqueueUnembedded, estimateWaiting } from "@svc/search/vectors/embedding-queue";
import { z } from "zod";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { beginBackgroundOperation } from "../../../platform/jobs/operations-store.ts";
import type { SearchScope } from "../../../platform/search/search-source.ts";
import { currency, formatMicros } from "../../budget/budget.ts";
import { modelOf } from "../../embeddings/embeddings.ts";
import { locate } from "../../files/files.ts";
import { requireWorkspace } from "../../workspaces/workspaces.ts";
import { fileReindex } from "../reindexing/file-reindex.ts";
import { findOpenReindex, giveOperation, type Reindex } from "../reindexing/reindex-store.ts";

const Result = z.object({
  operation: z.string(),
  scope: z.string(),
  state: z.enum(["waiting", "running", "done", "failed"]),
  documents: z.int(),
  /** It was requested before and is still running. */
  alreadyRunning: z.boolean(),
  /** Files that were not embedded, and now wait for it. */
  queued: z.int(),
  /** Approximate cost of waiting embeddings in the next run. Indexing words is free. */
  embedding: z.object({ files: z.int(), tokens: z.int(), cost: z.string() }).optional(),
});
const id = z.string().min(1).max(100);
const answer = (result: z.output<typeof Result>) => result;

export default defineCommand({
  summary: "Rebuild the search index",
  description:
    "Reindexes the current workspace, a folder and everything below it, or everything, and queues files for embedding " +
    "that are not embedded yet, in workspaces with semantic search. Runs in the background, " +
    "slowly enough not to disturb others, and survives a crash; searches stay correct and complete. If one is already running for " +
    "the same scope, that one is the answer. Cannot be undone and does not need to be.",
  category: "Search",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["search:write"],
  arguments: z.strictObject({
    workspaceId: id.optional().describe("Only this workspace, by id; --workspace does the same"),
    folder: remotePath().optional().describe("Only this folder and below, by path or id"),
    everywhere: z.boolean().default(false).describe("Reindex all workspaces"),
  }),
  result: Result,
  presentation: {
    as: "text",
    text: ({ scope, documents, operation, alreadyRunning, queued, embedding }) =>
      [
        alreadyRunning
          ? `Already reindexing ${scope} (${documents} documents).`
          : `Reindexing ${scope} in the background (${documents} documents).`,
        ...(queued > 0 ? [`Files queued for embedding: ${queued}.`] : []),
        ...(embedding
          ? [
              `${embedding.files} files are waiting to be embedded: about ${embedding.tokens} tokens in the next run, ` +
                `${embedding.cost} ${currency}.`,
            ]
          : []),
        `Progress: svc operations show ${operation} --follow`,
      ].join("\n"),
  },
  examples: [
    {
      command: "search reindex --everywhere --dry-run",
      note: "Shows the number of documents and the cost of embedding",
    },
    { command: "search reindex --workspace marketing", note: "One workspace" },
    {
      command: "search reindex --folder /reports --workspace marketing",
      note: "A folder and everything below it",
    },
  ],
  keywords: ["rebuild", "refresh index", "repair search", "from scratch", "find everything again"],
  failures: ["not_found", "conflict"],
  routes: [
    {
      path: "/api/v1/search/reindex",
      body: z.strictObject({}).transform(() => ({ everywhere: true })),
      answer,
      answerSchema: Result,
      status: 202,
    },
    {
      path: "/api/v1/search/reindex/workspace",
      body: z.strictObject({ workspaceId: id }),
      answer,
      answerSchema: Result,
      status: 202,
    },
    {
      path: "/api/v1/search/reindex/folder",
      body: z.strictObject({ folderId: id }).transform(({ folderId }) => ({ folder: folderId })),
      answer,
      answerSchema: Result,
      status: 202,
    },
  ],
  async run(context, args) {
    requireAdministrator(context);
    const { name, ...scope } = await findScope(context, args);
    const { reindex, isNew } = await fileReindex(context.transaction, context.search.sources, scope);
    const { operation, queued } = await operationOf(context, { reindex, scope, name });
    return {
      operation: encodeId("operation", operation),
      scope: name,
      state: reindex.state,
      documents: reindex.total,
      alreadyRunning: !isNew,
      queued,
      ...(await embeddingOf(context, scope)),
    };
  },
});

/** Only waiting files cost anything. A folder is counted with its workspace. */
async function embeddingOf(
  context: CommandContext,
  { workspaceId }: SearchScope,
): Promise<Pick<z.input<typeof Result>, "embedding">> {
  const { files, tokens } = await estimateWaiting(context.transaction, workspaceId);
  const model = await modelOf(context);
  const micros = model === undefined ? undefined : context.search.queryVectors.priceOf(model, tokens);
  if (files === 0 || micros === undefined) return {};
  return { embedding: { files, tokens, cost: formatMicros(micros) } };
}

interface Asked {
  workspaceId?: string | undefined;
  folder?: string | undefined;
  everywhere: boolean;
}

async function findScope(
  context: CommandContext,
  { workspaceId, folder, everywhere }: Asked,
): Promise<SearchScope & { name: string }> {
  if (folder !== undefined) {
    const { node, path, workspace } = await locate(context, folder);
    if (node?.kind === "file") throw new ProblemError("conflict", `${path} is a file, not a folder.`);
    if (node) return { workspaceId: workspace.id, folderId: node.id, name: `${path} in ${workspace.name}` };
    return { workspaceId: workspace.id, name: `workspace ${workspace.name}` };
  }
  const named = workspaceId ?? (everywhere ? undefined : context.workspace);
  if (named === undefined) return { name: "everything" };
  const workspace = await requireWorkspace(context, named);
  return { workspaceId: workspace.id, name: `workspace ${workspace.name}` };
}

/** The existing operation, or a new one if nobody requested it before; then files without vectors are queued too. */
async function operationOf(
  context: CommandContext,
  { reindex, scope, name }: { reindex: Reindex; scope: SearchScope; name: string },
): Promise<{ operation: string; queued: number }> {
  const { transaction } = context;
  if (reindex.operationId !== null) return { operation: reindex.operationId, queued: 0 };
  const locked = await findOpenReindex(transaction, scope, "lock");
  if (locked && locked.operationId !== null) return { operation: locked.operationId, queued: 0 };
  const { total } = locked ?? reindex;
  const model = await modelOf(context);
  const queued = model === undefined ? 0 : await enqueueUnembedded(transaction, scope, model);
  const after = { documents: total, ...(queued > 0 ? { "queued for embedding": queued } : {}) };
  const change = { action: "create" as const, type: "reindex", name, after };
  context.recordChange(change);
  const operation = await beginBackgroundOperation(transaction, {
    command: "search reindex",
    changes: [change],
    total,
    unit: "documents",
  });
  await giveOperation(transaction, reindex.id, operation);
  return { operation, queued };
}
