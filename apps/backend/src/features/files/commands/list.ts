import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { listChildren } from "../files-store.ts";
import { listSummary, nameCell } from "../node-cells.ts";
import { listBelow } from "../tree/list-below.ts";
import { PathCursor, readPathCursor, writePathCursor } from "../tree/path-cursor.ts";
import { FilePath, leadingFolders, locateFolder, NodeView, nodeView } from "../tree/tree.ts";

export default defineCommand({
  summary: "List the files and folders in a folder",
  category: "Files",
  aliases: ["ls"],
  effect: "read",
  agents: "listed",
  reach: "inside",
  scopes: ["files:read"],
  arguments: z.strictObject({
    folder: FilePath.default("/").describe("Path or id of the folder"),
    recursive: z.boolean().default(false).meta({
      description: "List everything below the folder, by path; names are then relative to the folder",
      short: "r",
    }),
    ...pageArguments,
    cursor: PathCursor,
  }),
  positionals: ["folder"],
  lists: "path",
  shows: "folder",
  result: pageOf(NodeView),
  presentation: {
    as: "table",
    columns: [
      { field: "name", label: "Name", priority: 9, cell: nameCell },
      { field: "kind", label: "Kind", priority: 6, as: "piped" },
      { field: "size", label: "Size", align: "right", priority: 7, as: "bytes" },
      { field: "updatedAt", label: "Changed", priority: 5, as: "time" },
      { field: "id", label: "Id", priority: 2, as: "id" },
    ],
    empty: "This folder is empty.",
    summary: ({ items, nextCursor }) => listSummary(items, nextCursor !== undefined),
  },
  examples: [
    { command: "files list /reports", note: "Folders first, then by name" },
    { command: "files list marketing:/reports", note: "In another workspace" },
    { command: "files list /reports --recursive", note: "With everything below, by path" },
  ],
  keywords: ["ls", "dir", "folder contents", "show files", "directory"],
  failures: ["not_found", "usage", "conflict"],
  async run(context, { folder, recursive, limit, cursor }) {
    const place = await locateFolder(context, folder);
    const below = place.path === "/" ? "" : place.path;
    if (recursive) {
      const page = await readPage(limit, (most) =>
        listBelow(context, place, { after: readPathCursor(cursor), limit: most }),
      );
      return pageView(
        page,
        ({ names, ...node }) => ({ ...nodeView(node, `${below}/${names.join("/")}`), name: names.join("/") }),
        ({ names }) => writePathCursor(names),
      );
    }
    const { rights, node, workspace } = place;
    const visible = { readable: rights.readable, leading: await leadingFolders(context, rights) };
    const page = await readPage(limit, (most) =>
      listChildren(context.transaction, node?.id ?? workspace.id, visible, {
        limit: most,
        after: placeOf(readPathCursor(cursor)),
      }),
    );
    return pageView(
      page,
      (child) => nodeView(child, `${below}/${child.name}`),
      ({ kind, name }) => writePathCursor([kind, name]),
    );
  },
});

function placeOf(after: string[] | undefined): { kind: string; name: string } | undefined {
  const [kind = "", name = ""] = after ?? [];
  return after && { kind, name };
}
