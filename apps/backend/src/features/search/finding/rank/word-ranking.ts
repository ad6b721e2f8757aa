import { countWords, weighWords } from "@svc/search/ranking/count-words";
import type { Ranking } from "@svc/search/ranking/rank-documents";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import type { FoundByMeaning } from "../candidates/find-by-meaning.ts";
import type { VisibleSearch } from "../visibility/narrow-to-visible.ts";

/** What hits are ranked by: the first page decides, for all that follow. */
export interface WordRanking {
  documents: number;
  /** In how many documents each word of the query is. */
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

/** By meaning alone no word counts, and none is looked at: counting them took longer than finding what is near. */
export function isWordless(
  { question }: Pick<VisibleSearch, "question">,
  meaning: FoundByMeaning | undefined,
): boolean {
  return meaning?.weight === 1 && !question.explain;
}
