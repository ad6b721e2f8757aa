import { type RawBuilder, sql } from "kysely";

/** Nobody has more names. */
const mostWords = 20;

/** Signs that join words in names. */
const joining = "-_./@";

/** Whether each typed word begins a word of this text, as SQL. */
export function hasWords(text: RawBuilder<unknown>, typed: string): RawBuilder<boolean> {
  const words = typed
    .normalize("NFC")
    .toLowerCase()
    .split(/[-\s_./@]+/u)
    .filter((word) => word !== "");
  if (words.length === 0 || words.length > mostWords) return sql<boolean>`false`;
  const spaced = sql`' ' || translate(lower(${text}), ${joining}, ${" ".repeat(joining.length)})`;
  // One statement for any number of words: each text would take a name of the few that a process keeps.
  return sql<boolean>`not exists (
    select from unnest(${[...new Set(words)]}::text[]) as typed (word) where strpos(${spaced}, ' ' || typed.word) = 0)`;
}
