import { at, between, pick } from "@svc/sample-company/chance";
import type { Collection } from "./collection.ts";

const letters = [..."abcdefghijklmnopqrstuvwxyz"];
const slips = ["swapped", "missing", "doubled", "added", "wrong"] as const;

/** The word as a hurried hand types it: one slip, the same for the same seed. */
function misspell(word: string, seed: string): string {
  const place = between(`${seed} place`, 0, word.length - 2);
  const [begin, rest] = [word.slice(0, place), word.slice(place)];
  const letter = pick(`${seed} letter`, letters);
  const typed = {
    swapped: `${begin}${rest.charAt(1)}${rest.charAt(0)}${rest.slice(2)}`,
    missing: begin + rest.slice(1),
    doubled: begin + rest.charAt(0) + rest,
    added: begin + letter + rest,
    wrong: begin + letter + rest.slice(1),
  }[pick(`${seed} slip`, slips)];
  // Two equal letters swapped, a letter replaced by itself, or too short to be corrected.
  return typed === word || typed.length < 4 ? misspell(word, `${seed} again`) : typed;
}

/** Each query with a slip in the rarest of its words that documents have; those without such a word are left out. */
export function misspelledQueries({ name, documents, queries }: Collection): (Query & { typo: string })[] {
  const frequencies = new Map<string, number>();
  for (const { title, text } of documents) {
    for (const word of new Set(wordsOf(`${title} ${text}`)))
      frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  }
  return queries.flatMap((query) => {
    const known = [...new Set(wordsOf(query.text))].filter((word) => frequencies.has(word));
    if (known.length === 0) return [];
    const rarest = at(
      known.sort((left, right) => (frequencies.get(left) ?? 0) - (frequencies.get(right) ?? 0)),
      0,
    );
    const typed = misspell(rarest, `${name} ${query.id}`);
    return [{ ...query, typo: query.text.replace(new RegExp(`\\b${rarest}\\b`, "iu"), typed) }];
  });
}

type Query = Collection["queries"][number];

/** Ordinary words, as long as those that are corrected. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/(?<![\p{L}\p{N}'’.@/-])[a-z]{4,20}(?![\p{L}\p{N}'’@/-])/gu) ?? [];
}
