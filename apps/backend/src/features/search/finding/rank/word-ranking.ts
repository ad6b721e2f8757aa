import { countWords, weighWords } from "@svc/search/ranking/count-words";
import type { Ranking } from "@svc/search/ranking/rank-documents";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import type { FoundByMeaning } from "../candidates/find-by-meaning.ts";
import type { VisibleSearch } from "../visibility/narrow-to-visible.ts";

/** The statistics that rank hits: the first page decides for all later ones. */
export interface WordRanking {
  documents: number;
  /** The number of documents with each word of the query. */
  frequencies: number[];
  ranking: Ranking & { weights: number[] };
}

export async function readWordRanking(
  { transaction, now }: CommandContext,
  visible: VisibleSearch,
  meaning?: FoundByMeaning,
): Promise<WordRanking> {
  const { query, statistics, after, question } = visible;
  const documents = after?.documents ?? statistics.documents;
  const frequencies =
    after?.frequencies ??
    (isWordless(visible, meaning)
      ? query.parsed.words.map(() => 0)
      : await countWords(transaction, query, statistics, { shown: question.explain }));
  return {
    documents,
    frequencies,
    ranking: {
      weights: weighWords(query.parsed, documents, frequencies),
      averageLength: after?.averageLength ?? statistics.averageLength,
      now: after ? new Date(after.now) : now,
    },
  };
}

/** With meaning alone, words are ignored: counting them took longer than finding the nearest files. */
export function isWordless(
  { question }: Pick<VisibleSearch, "question">,
  meaning: FoundByMeaning | undefined,
): boolean {
  return meaning?.weight === 1 && !question.explain;
}
