import { sql } from "kysely";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { Moment } from "../../../platform/commands/moment.ts";
import { pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { namePattern } from "../name-pattern.ts";
import { pathCell } from "../node-cells.ts";
import { Size } from "../size.ts";
import { listBelow } from "../tree/list-below.ts";
import { PathCursor, readPathCursor, writePathCursor } from "../tree/path-cursor.ts";
import { showAddresses } from "../tree/show-addresses.ts";
import { FilePath, locateFolder, NodeView, nodeView } from "../tree/tree.ts";

const filters = {
  name: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe("Only names that contain this text, ignoring case; with * or ? the whole name must match"),
  type: z.enum(["file", "folder"]).optional().describe("Only files, or only folders"),
  larger: Size.optional().describe("Only files larger than this, such as 500, 200kB, 1.5MB or 2GiB"),
  smaller: Size.optional().describe("Only files smaller than this"),
  changedAfter: Moment.optional().describe("Only items changed since this day or time"),
  changedBefore: Moment.optional().describe("Only items changed before this day or time"),
};

export default defineCommand({
  summary: "Find files and folders below a folder by name, type, size or time",
  description:
    "Lists everything you can see that passes all filters, ordered by path. 1kB is 1,000 bytes, 1KiB is 1,024. Days begin at midnight UTC. " +
    "To find files by their content, use `search query`.",
  category: "Files",
  aliases: ["find"],
  effect: "read",
  agents: "listed",
  reach: "inside",
  scopes: ["files:read"],
  arguments: z.strictObject({
    folder: FilePath.default("/").describe("Path or id of the folder"),
    ...filters,
    ...pageArguments,
    cursor: PathCursor,
  }),
  positionals: ["folder"],
  result: pageOf(NodeView),
  presentation: {
    as: "table",
    columns: [
      { field: "path", label: "Path", priority: 9, cell: pathCell },
      { field: "size", label: "Size", align: "right", priority: 7, as: "bytes" },
      { field: "updatedAt", label: "Changed", priority: 5, as: "time" },
    ],
    empty: "Nothing found.",
  },
  examples: [
    {
      command: 'files find /reports --name "*.pdf" --larger 10MB',
      note: "Quotes keep the shell from expanding *",
    },
    { command: "files find --name budget --changed-after 2026-01-31", note: "In the whole workspace" },
  ],
  keywords: ["locate", "by name", "recent", "latest", "newest", "larger than", "modified"],
  failures: ["not_found", "usage", "conflict"],
  async run(context, { folder, limit, cursor, ...asked }) {
    const place = await locateFolder(context, folder);
    const page = await readPage(limit, (most) =>
      listBelow(context, place, { after: readPathCursor(cursor), limit: most, matches: matching(asked) }),
    );
    const below = place.path === "/" ? "" : place.path;
    const result = pageView(
      page,
      ({ names, ...node }) => nodeView(node, `${below}/${names.join("/")}`),
      ({ names }) => writePathCursor(names),
    );
    return showAddresses(context, result, { path: place });
  },
});

const Filters = z.object(filters);

/** One statement for all filters, so that it is prepared once. */
function matching({ name, type, larger, smaller, changedAfter, changedBefore }: z.output<typeof Filters>) {
  const pattern = name === undefined ? null : namePattern(name);
  const [from, to] = [changedAfter, changedBefore].map((day) => (day === undefined ? null : new Date(day)));
  return sql<boolean>`(${pattern}::text is null or node.name ilike ${pattern})
    and (${type ?? null}::text is null or node.kind = ${type ?? null})
    and (${larger ?? null}::bigint is null or node.size > ${larger ?? null})
    and (${smaller ?? null}::bigint is null or node.size < ${smaller ?? null})
    and (${from}::timestamptz is null or node.updated_at >= ${from})
    and (${to}::timestamptz is null or node.updated_at < ${to})`;
}
