import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { Node } from "./files-store.ts";
import { listVisibleBelow } from "./tree/list-visible-below.ts";
import { nodeId, type Place } from "./tree/tree.ts";

/** The parts of a downloaded folder that the caller can see. */
export async function listDownload(context: CommandContext, place: Place & { node: Node }) {
  const below = await listVisibleBelow(context, place);
  return {
    folders: below.filter(({ kind }) => kind === "folder").map(({ names }) => names.join("/")),
    files: below.flatMap(({ kind, id, contentVersion, names, size, sha256, mediaType }) =>
      size === null || sha256 === null || mediaType === null
        ? []
        : [
            {
              path: names.join("/"),
              id: nodeId({ kind, id }),
              version: contentVersion,
              size,
              sha256,
              mediaType,
            },
          ],
    ),
  };
}
