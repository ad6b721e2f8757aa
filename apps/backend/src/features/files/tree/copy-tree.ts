import type { CommandContext } from "../../../platform/commands/command-context.ts";
import type { Node } from "../files-store.ts";
import { readText } from "../text-store.ts";
import { listVisibleBelow } from "./list-visible-below.ts";
import { addFiles, makeFolder, type Spot } from "./placing.ts";
import type { Place } from "./tree.ts";

const maxNodes = 10_000;

/** Copies everything that the caller can see. Contents are not copied; each gets one more reference. */
export async function copyTree(
  context: CommandContext,
  place: Place & { node: Node },
  spot: Spot,
): Promise<{ node: Node; files: number }> {
  const { node: source } = place;
  // Read before the first node is created, so that a folder copied into itself does not include its own copy.
  const below = await listVisibleBelow(context, place, maxNodes);
  const copies = new Map<string, Node>();
  const node = await copyNode(context, source, spot);
  copies.set(source.id, node);
  for (const original of below) {
    const parent = copies.get(original.parentId);
    if (!parent) throw new Error("a subtree came without the parent of one of its nodes");
    const path = `${spot.path}/${original.names.join("/")}`;
    const copy = await copyNode(context, original, {
      folder: { ...spot.folder, node: parent, path: path.slice(0, path.lastIndexOf("/")) },
      name: original.name,
      path,
    });
    copies.set(original.id, copy);
  }
  const files = [source, ...below].filter(({ kind }) => kind === "file");
  await context.blobs.addReferences(files.flatMap(({ sha256 }) => sha256 ?? []));
  return { node, files: files.length };
}

async function copyNode(context: CommandContext, original: Node, spot: Spot): Promise<Node> {
  const { size, mediaType, sha256 } = original;
  if (original.kind === "folder" || size === null || mediaType === null || sha256 === null) {
    return makeFolder(context, spot);
  }
  const text = await readText(context.transaction, original);
  if (!text) throw new Error("a file has no text");
  const [copy] = await addFiles(context, [{ spot, content: { size, mediaType, sha256, text } }]);
  return copy as Node;
}
