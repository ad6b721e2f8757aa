import { benchSize } from "../../bench/bench-size.ts";
import { Dice } from "../../bench/fulltext/words.ts";
import { collectionNames, readCollection } from "../collection.ts";
import { sampleCollection } from "../sample-collection.ts";
import type { OrderedCorpus } from "./ordered-corpus.ts";

/** In English: the parser guesses the language of each query, and the ranking here does not. */
const wanted = ["cacm", "cisi", "cranfield", "med", "scifact", "vaswani"];

/** All English collections together, with a part of their queries; undefined if there is none. */
export function judgedCorpus(folder: string, queries: number): OrderedCorpus | undefined {
  const collections = benchSize(
    () =>
      wanted
        .filter((name) => collectionNames(folder).includes(name))
        .map((name) => readCollection(folder, name)),
    () => [sampleCollection()],
  )();
  if (collections.length === 0) return undefined;
  const asked = collections.flatMap((collection) => collection.queries.map(({ text }) => plainWords(text)));
  const step = Math.max(1, asked.length / queries);
  const documents = shuffled(collections.flatMap((collection) => collection.documents));
  const day = Date.parse("2026-01-01");
  return {
    name: "judged",
    size: documents.length,
    documents: () =>
      documents.map(({ title, text }, number) => ({
        name: `${number}.txt`,
        text: `${title}\n\n${text}`,
        updatedAt: new Date(day - number * 1_000),
      })),
    folderName: (number) => `f${number}`,
    queries: [
      ...new Set(
        Array.from(
          { length: Math.min(queries, asked.length) },
          (_, index) => asked[Math.floor(index * step)] ?? "",
        ),
      ),
    ],
  };
}

/** So that every folder has something of each. */
function shuffled<T>(some: readonly T[]): T[] {
  const dice = new Dice(3);
  return some
    .map((one) => ({ one, at: dice.next() }))
    .sort((left, right) => left.at - right.at)
    .map(({ one }) => one);
}

/** At most ten words, without signs: joined words and quotes have rules of their own. */
function plainWords(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, 10).join(" ");
}
