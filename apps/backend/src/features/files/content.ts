import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../platform/command-context.ts";
import type { StagedFile } from "../../platform/staged-file.ts";
import { extractorVersion } from "../../platform/text/extract-text.ts";
import type { Node } from "./files-store.ts";
import { nodeChanged } from "./node-events.ts";
import { addFile, type NewFile, nodeChange, requireAsLeft, type Spot } from "./placing.ts";
import { insertText } from "./text-store.ts";
import { changeNode, changeNodeBack } from "./tree.ts";
import { undoCreation } from "./undo-creation.ts";
import { deleteVersion, findVersion, insertVersion } from "./versions-store.ts";

const PutItem = z.object({
  id: z.string(),
  version: z.int(),
  /** The content before it; absent where the file or folder was new. */
  previous: z.int().optional(),
});
type PutItem = z.output<typeof PutItem>;

/** In the order in which they were put. */
export const ContentUndo = z.object({ items: z.array(PutItem) });
export type ContentUndo = z.output<typeof ContentUndo>;

/** Keeps what was sent: as a new file, or as the next version of the one that is there. */
export async function putContent(
  context: CommandContext,
  spot: Spot & { existing: Node | null },
  file: StagedFile,
): Promise<{ node: Node; outcome: string; undo: PutItem }> {
  const { existing, path } = spot;
  // Read before the transaction began: a hostile document may take its whole time limit.
  const text = await file.text();
  const content = { size: file.size, mediaType: text.mediaType, sha256: file.sha256 };
  if (existing?.sha256 === file.sha256) {
    throw new ProblemError("conflict", `${path} has exactly this content already.`);
  }
  const stored = { outcome: text.outcome, text: text.text, extractorVersion };
  const node = existing
    ? await replaceContent(context, existing, path, { ...content, text: stored })
    : await addFile(context, spot, { ...content, text: stored });
  await context.blobs.put(file);
  const undo = {
    id: node.id,
    version: node.version,
    ...(existing ? { previous: existing.contentVersion } : {}),
  };
  return { node, outcome: text.outcome, undo };
}

async function replaceContent(
  context: CommandContext,
  existing: Node,
  path: string,
  { text, ...content }: NewFile,
): Promise<Node> {
  const contentVersion = existing.contentVersion + 1;
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

export async function undoContent(context: CommandContext, { items }: ContentUndo): Promise<void> {
  for (const { id, version, previous } of items.toReversed()) {
    if (previous === undefined) await undoCreation(context, { id, version });
    else await undoReplacement(context, { id, version, previous });
  }
}

async function undoReplacement(
  context: CommandContext,
  { id, version, previous }: PutItem & { previous: number },
): Promise<void> {
  const { node, path } = await requireAsLeft(context, id, version);
  const before = await findVersion(context.transaction, id, previous);
  if (!before || node.sha256 === null) throw new Error("a version that an operation replaced is missing");
  const { size, mediaType, sha256 } = before;
  await changeNodeBack(context, node, { size, mediaType, sha256, contentVersion: previous });
  await deleteVersion(context.transaction, id, node.contentVersion);
  await context.blobs.release([node.sha256]);
  context.recordChange(
    nodeChange("update", node, path, { before: { sha256: node.sha256 }, after: { sha256 } }),
  );
  await nodeChanged(context, { kind: "CONTENT_CHANGED", node: { ...node, contentVersion: previous } });
}
