import { findPathsInTime, lookUpWords, weighWords } from "@svc/search/ranking/count-words";
import type { Ranking } from "@svc/search/ranking/rank-candidates";
import type { PathPlaces } from "@svc/search/visibility/find-path-places";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import type { FoundByMeaning } from "../candidates/find-by-meaning.ts";
import type { VisibleSearch } from "../visibility/narrow-to-visible.ts";

/** The statistics that rank hits: the first page decides for all later ones. */
export interface WordRanking {
  documents: number;
  /** The number of documents with each word of the query. */
  frequencies: number[];
  /** Not of the first page: folders may have moved since. */
  paths: PathPlaces;
  /** Whether paths took too long to find: words of folder names do not count then. */
  lacksPaths: boolean;
  ranking: Ranking & { weights: number[] };
}

export async function readWordRanking(
  context: CommandContext,
  visible: VisibleSearch,
  meaning?: FoundByMeaning,
): Promise<WordRanking> {
  const { query, statistics, after } = visible;
  const documents = after?.documents ?? statistics.documents;
  const { frequencies, paths } = await lookUp(context, visible, meaning);
  return {
    documents,
    frequencies,
    paths: paths ?? [],
    lacksPaths: paths === undefined,
    ranking: {
      weights: weighWords(query.parsed, documents, frequencies),
      averageLength: after?.averageLength ?? statistics.averageLength,
      now: after ? new Date(after.now) : context.now,
    },
  };
}

async function lookUp(
  { transaction }: CommandContext,
  visible: VisibleSearch,
  meaning: FoundByMeaning | undefined,
): Promise<{ frequencies: number[]; paths: PathPlaces | undefined }> {
  const { query, statistics, after, question } = visible;
  const { parsed, source } = query;
  if (isWordless(visible, meaning))
    return { frequencies: after?.frequencies ?? parsed.words.map(() => 0), paths: [] };
  if (!after) return lookUpWords(transaction, query, statistics, { shown: question.explain });
  const paths = await findPathsInTime(transaction, parsed, source, statistics);
  return { frequencies: after.frequencies, paths };
}

/** With meaning alone, words are ignored: counting them took longer than finding the nearest files. */
export function isWordless(
  { question }: Pick<VisibleSearch, "question">,
  meaning: FoundByMeaning | undefined,
): boolean {
  return meaning?.weight === 1 && !question.explain;
}
