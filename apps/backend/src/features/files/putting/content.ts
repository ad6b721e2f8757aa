import type { UndoneOperation } from "@svc/command-router/command";
import { z } from "zod";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { type Extraction, extractorVersion } from "../../../platform/text/extract-text.ts";
import type { StagedFile } from "../../../platform/uploads/staged-file.ts";
import type { Node } from "../files-store.ts";
import { type NewContent, replaceContents } from "../new-nodes-store.ts";
import { nodeChanged } from "../node-events.ts";
import { retryTime } from "../retry-time.ts";
import { addFiles, nodeChange, type Spot } from "../tree/placing.ts";
import { changedBySomebody } from "../tree/tree.ts";
import { changeUndo, creationUndo, NodeUndo, undoNode } from "../undo-node.ts";

/** In upload order. */
export const ContentUndo = z.object({ items: z.array(NodeUndo) });
export type ContentUndo = z.output<typeof ContentUndo>;

/** A file for a spot; what exists there gets a new version. */
export interface Put {
  spot: Spot & { existing: Node | null };
  file: StagedFile;
}

export interface PutContent {
  node: Node;
  outcome: string;
  undo: NodeUndo;
}

/** Many in a few statements. In the order of what was asked for. */
export async function putContents(context: CommandContext, puts: readonly Put[]): Promise<PutContent[]> {
  const read: ReadPut[] = [];
  // Read before the transaction began: a hostile document may take its whole time limit.
  for (const put of puts)
    read.push({ ...put, content: contentOf(put.file, await textOf(put.file), context) });
  const { fresh = [], next = [] } = Object.groupBy(read, ({ spot }) => (spot.existing ? "next" : "fresh"));
  const nodes = new Map<ReadPut, Node>();
  const added = fresh.length === 0 ? [] : await addFiles(context, fresh);
  const replaced = next.length === 0 ? [] : await replaceFiles(context, next);
  for (const [index, put] of fresh.entries()) nodes.set(put, added[index] as Node);
  for (const [index, put] of next.entries()) nodes.set(put, replaced[index] as Node);
  await context.blobs.putAll(puts.map(({ file }) => file));
  return read.map((put) => {
    const { spot, content } = put;
    const node = nodes.get(put) as Node;
    const undo = spot.existing ? changeUndo(spot.existing, node) : creationUndo(node);
    return { node, outcome: content.text.outcome, undo };
  });
}

/** A preview describes files; a commit reads them. */
async function textOf(file: StagedFile): Promise<Extraction> {
  return file.isDescribed
    ? { outcome: "failed", text: "", mediaType: "application/octet-stream" }
    : file.text();
}

type ReadPut = Put & { content: NewContent };

function contentOf({ size, sha256 }: StagedFile, text: Extraction, context: CommandContext): NewContent {
  const { outcome, mediaType } = text;
  return {
    size,
    sha256,
    mediaType,
    text: {
      outcome,
      text: text.text,
      extractorVersion,
      attempts: 1,
      retryAt: retryTime(outcome, 1, context.transaction.now),
    },
  };
}

async function replaceFiles(context: CommandContext, puts: readonly ReadPut[]): Promise<Node[]> {
  const existing = puts.map(({ spot }) => spot.existing as Node);
  const changed = await replaceContents(
    context.transaction,
    puts.map(({ content }, index) => ({ ...(existing[index] as Node), ...content })),
  );
  const byId = new Map(changed.map((node) => [node.id, node]));
  const nodes: Node[] = [];
  for (const [index, { spot, content }] of puts.entries()) {
    const before = existing[index] as Node;
    const node = byId.get(before.id);
    if (!node) throw changedBySomebody(before.name);
    context.recordChange(
      nodeChange("update", before, spot.path, {
        before: { size: before.size, sha256: before.sha256 },
        after: { size: content.size, sha256: content.sha256 },
      }),
    );
    await nodeChanged(context, { kind: "CONTENT_CHANGED", node });
    nodes.push(node);
  }
  return nodes;
}

export async function undoContent(
  context: CommandContext,
  { items }: ContentUndo,
  operation: UndoneOperation,
): Promise<ContentUndo> {
  const undone: NodeUndo[] = [];
  for (const item of items.toReversed()) undone.push(await undoNode(context, item, operation));
  return { items: undone };
}
