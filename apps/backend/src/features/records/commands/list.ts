import { counted } from "@svc/rendering/counted";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { CollectionTarget, locateCollection } from "../../collections/collections.ts";
import { fieldColumns } from "../field-columns.ts";
import { afterCursor, cursorAfter } from "../record-order.ts";
import { queryArguments, readQuery } from "../record-query.ts";
import { RecordView, recordViews, summarize } from "../record-view.ts";
import { listRecords } from "../records-store.ts";

export default defineCommand({
  summary: "List the records of a collection, filtered and sorted",
  description:
    "A filter compares one field; a record must match all filters. Records with an empty value sort last.",
  category: "Records",
  effect: "read",
  agents: "listed",
  reach: "inside",
  scopes: ["records:read"],
  arguments: z.strictObject({
    collection: CollectionTarget,
    ...queryArguments,
    trashed: z.boolean().default(false).describe("Show trashed records instead"),
    ...pageArguments,
    // It contains the sort values.
    cursor: z
      .string()
      .max(10_000)
      .optional()
      .describe("Where to continue, from `nextCursor` of the previous page"),
  }),
  positionals: ["collection"],
  result: pageOf(RecordView.extend({ summary: z.string() })),
  presentation: {
    as: "table",
    columns: [
      { field: "title", label: "Title", priority: 9 },
      { field: "summary", label: "Fields", priority: 2 },
      { field: "updatedAt", label: "Updated", priority: 3, as: "time" },
      { field: "id", label: "Id", priority: 5, as: "id" },
    ],
    empty: "No records match.",
    columnsOf: ({ items }) => fieldColumns(items),
    summary: ({ items, nextCursor }) =>
      `${nextCursor === undefined ? "" : "first "}${counted(items.length, "record")}`,
  },
  examples: [
    { command: "records list customers", note: "In creation order" },
    {
      command: 'records list customers --filter status=active --filter "revenue>=1000" --sort=-revenue',
      note: "Largest revenue first",
    },
    { command: "records list customers --filter name~acme", note: "Whose name contains acme" },
  ],
  keywords: ["rows", "query table", "filter", "sort", "entries", "select"],
  failures: ["not_found", "usage"],
  async run(context, { collection: target, filter, sort, trashed, limit, cursor }) {
    const place = await locateCollection(context, target);
    const query = await readQuery(context, "records list", place, { filter, sort });
    const conditions = [
      ...query.listing.conditions,
      ...(cursor === undefined ? [] : [afterCursor(query, cursor)]),
    ];
    const page = await readPage(limit, (most) =>
      listRecords(context.transaction, { ...query.listing, conditions, trashed, limit: most }),
    );
    const view = await recordViews(context, place, page.rows);
    const { fields, titleField } = place.collection;
    const titleName = fields.find(({ key }) => key === titleField)?.name ?? "";
    return pageView(
      page,
      (row) => {
        const shown = view(row);
        // The title has its own column.
        const { [titleName]: _, ...others } = shown.fields;
        return { ...shown, summary: summarize(others) };
      },
      (row) => cursorAfter(query, row),
    );
  },
});
