import { setImmediate as breathe } from "node:timers/promises";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { Node } from "./files-store.ts";
import { listVisibleBelow } from "./tree/list-visible-below.ts";
import { nodeId, type Place } from "./tree/tree.ts";

/** Checking and writing the answer takes 7 µs a file, in one go: 175 ms for as many as these. */
const maxNodes = 25_000;
const sliceNodes = 1_000;

/** The parts of a downloaded folder that the caller can see. */
export async function listDownload(context: CommandContext, place: Place & { node: Node }) {
  const below = await listVisibleBelow(context, place, maxNodes);
  const folders: string[] = [];
  const files = [];
  for (const [
    index,
    { kind, id, contentVersion: version, names, size, sha256, mediaType },
  ] of below.entries()) {
    if (index % sliceNodes === sliceNodes - 1) await breathe();
    const path = names.join("/");
    if (kind === "folder") folders.push(path);
    else if (size !== null && sha256 !== null && mediaType !== null)
      files.push({ path, id: nodeId({ kind, id }), version, size, sha256, mediaType });
  }
  return { folders, files };
}
