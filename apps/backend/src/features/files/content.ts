import type { UndoneOperation } from "@svc/command-router/command";
import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { extractorVersion } from "../../platform/text/extract-text.ts";
import type { StagedFile } from "../../platform/uploads/staged-file.ts";
import type { Node } from "./files-store.ts";
import { nodeChanged } from "./node-events.ts";
import { retryTime } from "./retry-time.ts";
import { insertText } from "./text-store.ts";
import { addFile, type NewFile, nodeChange, type Spot } from "./tree/placing.ts";
import { changeNode } from "./tree/tree.ts";
import { changeUndo, creationUndo, NodeUndo, undoNode } from "./undo-node.ts";
import { insertVersion, nextVersion } from "./versions-store.ts";

/** In upload order. */
export const ContentUndo = z.object({ items: z.array(NodeUndo) });
export type ContentUndo = z.output<typeof ContentUndo>;

/** Stores the upload as a new file, or as the next version of the existing one. */
export async function putContent(
  context: CommandContext,
  spot: Spot & { existing: Node | null },
  file: StagedFile,
): Promise<{ node: Node; outcome: string; undo: NodeUndo }> {
  const { existing, path } = spot;
  // Read before the transaction began: a hostile document may take its whole time limit.
  const text = await file.text();
  const content = { size: file.size, mediaType: text.mediaType, sha256: file.sha256 };
  if (existing?.sha256 === file.sha256) {
    throw new ProblemError("conflict", `${path} already has this content.`);
  }
  const stored = {
    outcome: text.outcome,
    text: text.text,
    extractorVersion,
    attempts: 1,
    retryAt: retryTime(text.outcome, 1, context.transaction.now),
  };
  const node = existing
    ? await replaceContent(context, existing, path, { ...content, text: stored })
    : await addFile(context, spot, { ...content, text: stored });
  await context.blobs.put(file);
  const undo = existing ? changeUndo(existing, node) : creationUndo(node);
  return { node, outcome: text.outcome, undo };
}

async function replaceContent(
  context: CommandContext,
  existing: Node,
  path: string,
  { text, ...content }: NewFile,
): Promise<Node> {
  const contentVersion = await nextVersion(context.transaction, existing.id);
  await changeNode(context, existing, { ...content, contentVersion });
  await insertVersion(context.transaction, existing.id, { version: contentVersion, ...content });
  await insertText(context.transaction, { id: existing.id, contentVersion }, text);
  context.recordChange(
    nodeChange("update", existing, path, {
      before: { size: existing.size, sha256: existing.sha256 },
      after: { size: content.size, sha256: content.sha256 },
    }),
  );
  const node = {
    ...existing,
    ...content,
    contentVersion,
    version: existing.version + 1,
    updatedAt: context.now,
  };
  await nodeChanged(context, { kind: "CONTENT_CHANGED", node });
  return node;
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
