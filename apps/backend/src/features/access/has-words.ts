import { type RawBuilder, sql } from "kysely";

/** Signs that join words in names. */
const joining = "-_./@";

/** Whether each typed word begins a word of this text, as SQL. */
export function hasWords(text: RawBuilder<unknown>, typed: string): RawBuilder<boolean> {
  const words = typed
    .normalize("NFC")
    .toLowerCase()
    .split(/[-\s_./@]+/u)
    .filter((word) => word !== "");
  if (words.length === 0) return sql<boolean>`false`;
  const spaced = sql`' ' || translate(lower(${text}), ${joining}, ${" ".repeat(joining.length)})`;
  const each = words.map((word) => sql`strpos(${spaced}, ${` ${word}`}) > 0`);
  return sql<boolean>`(${sql.join(each, sql` and `)})`;
}
