import { z } from "zod";

/** Lists return `items`, and `nextCursor` if there is more. The cursor is the sort key of the last row shown. */
export const pageArguments = {
  limit: z.int().min(1).max(200).default(50).meta({ description: "Maximum number of rows", short: "n" }),
  cursor: z
    .string()
    .max(1_000)
    .optional()
    .describe("Where to continue, from `nextCursor` of the previous page"),
};

/** For a cursor of a known form. */
export const notCursor = "must be the `nextCursor` of an earlier page";

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().optional() });
}

interface Page<Row> {
  rows: readonly Row[];
  hasMore: boolean;
}

/** Reads one row more than the page shows: it tells whether there is another page. */
export async function readPage<Row>(
  limit: number,
  read: (most: number) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const rows = await read(limit + 1);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

export function pageView<Row, Item>(
  { rows, hasMore }: Page<Row>,
  toItem: (row: Row) => Item,
  cursorOf: (row: Row) => string,
): { items: Item[]; nextCursor?: string } {
  const last = rows.at(-1);
  return { items: rows.map(toItem), ...(hasMore && last ? { nextCursor: cursorOf(last) } : {}) };
}
