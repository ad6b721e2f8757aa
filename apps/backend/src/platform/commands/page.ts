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

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().optional() });
}

/** From `limit + 1` rows: the last one only shows that there is more. */
export function page<Row, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  cursorOf: (row: Row) => string,
): { items: Item[]; nextCursor?: string } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items: shown.map(toItem), ...(hasMore ? { nextCursor: cursorOf(last) } : {}) };
}
