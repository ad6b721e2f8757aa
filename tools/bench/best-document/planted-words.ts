import { benchSize } from "../bench-size.ts";

/** Shares of all documents that have a word. The largest is every one of them. */
export const shares = benchSize([0.003, 0.02, 0.1, 0.3, 0.6, 1], [0.1, 1]);
/** Of the documents written before a planted one, from none to all. */
export const places = benchSize(20, 2);

export interface PlantedWord {
  number: number;
  word: string;
  share: number;
  place: number;
}

/** One for each share and place, so that planted documents do not compete with each other. */
export const plantedWords: readonly PlantedWord[] = shares.flatMap((share, row) =>
  Array.from({ length: places }, (_, place) => {
    const number = row * places + place;
    return { number, word: wordOf(number), share, place };
  }),
);

/** Nothing that a stemmer shortens, that a dictionary knows, or that splits in two. */
function wordOf(number: number): string {
  const consonants = "bdfglmnprtvz";
  const syllable = (digit: number) => `${consonants[digit]}${"auo"[digit % 3]}`;
  const digits = [number % 12, Math.floor(number / 12) % 12, Math.floor(number / 144) % 12];
  return `${digits.map(syllable).join("")}k`;
}
