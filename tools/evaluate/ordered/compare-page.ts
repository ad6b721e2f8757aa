import {
  type ExhaustiveRanking,
  exhaustiveLevels,
  type RankedKey,
  type RankingStatistics,
} from "./exhaustive-ranking.ts";

/** One answer beside what it should have been. */
export interface Compared {
  corpus: string;
  sees: string;
  words: number;
  isPhrase: boolean;
  matches: number;
  /** The part of the first ten that belongs there. */
  overlap: number;
  /** The same if words had been counted instead of estimated. */
  exactOverlap: number;
  /** Whether words of folders decide about the first ten. */
  isByPath: boolean;
  /** Whether the answer says that it is the one of ranking every match. */
  isProved: boolean;
  millis: number;
}

const top = 10;

/** `numbers`: documents of the ranking by their ids. */
export function comparePage(
  exhaustive: ExhaustiveRanking,
  query: string,
  isVisible: (folder: number) => boolean,
  answer: string,
  numbers: ReadonlyMap<string, number>,
): Pick<Compared, "words" | "isPhrase" | "matches" | "overlap" | "exactOverlap" | "isByPath" | "isProved"> {
  const { hits, nextCursor, order } = JSON.parse(answer) as {
    hits: { id: string }[];
    nextCursor?: string;
    order?: string;
  };
  const found = hits.map(({ id }) => numbers.get(id) ?? -1);
  const counted = exhaustive.count(query, isVisible, new Date());
  const exact = exhaustive.rank(query, isVisible, counted);
  const same = nextCursor === undefined ? exact : exhaustive.rank(query, isVisible, statisticsOf(nextCursor));
  return {
    words: query.split(" ").length,
    isPhrase: query.startsWith('"'),
    matches: exact.length,
    overlap: overlapOf(found, same),
    exactOverlap: overlapOf(found, exact),
    isByPath: same.slice(0, top).some(({ level }) => level === exhaustiveLevels.inNameAndPath),
    isProved: order === "exact",
  };
}

/** A page that does not end the answer says what its ranking was based on. */
function statisticsOf(cursor: string): RankingStatistics {
  const read = JSON.parse(Buffer.from(cursor, "base64url").toString()) as RankingStatistics & { now: string };
  return { ...read, now: new Date(read.now) };
}

/** Equal ones are interchangeable: what counts is to be no worse than the last that belongs there. */
function overlapOf(found: readonly number[], ranked: readonly RankedKey[]): number {
  const expected = Math.min(top, ranked.length);
  const last = ranked[expected - 1];
  if (!last) return found.length === 0 ? 1 : 0;
  const wanted = new Set(
    ranked
      .filter(
        ({ level, score }) => level > last.level || (level === last.level && score >= last.score * 0.999_999),
      )
      .map(({ document }) => document),
  );
  return new Set(found.filter((document) => wanted.has(document))).size / expected;
}
