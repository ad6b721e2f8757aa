import type { TenantTransaction } from "@svc/database/database";
import { phraseQueries } from "../query/query-words.ts";
import { withinTime } from "../visibility/within-time.ts";
import type { FindByWords } from "./candidates.ts";
import { chooseCandidates, chosenCandidates } from "./chosen-candidates.ts";
import { mostMatching } from "./phrased-words.ts";
import { rankCandidates } from "./rank-candidates.ts";
import type { DocumentsToRank, RankedPage } from "./ranked-page.ts";
import { sampledCandidates, sampledPhrases } from "./sampled-candidates.ts";
import { mostCandidates, mostForPhrases, mostMatches, type RankedQuery } from "./search-query.ts";
import { hasTiers } from "./tiers/has-tiers.ts";
import { rankByTiers, usualMillis } from "./tiers/rank-by-tiers.ts";
import { rankedWords } from "./word-score.ts";

/** If ranking all matches takes longer than this part of the time, tiers have the rest. */
const partForAll = 0.4;

/**
 * Hits in order, all words before some, names before texts. Few matches are all ranked. Of many, those in which the
 * words matter most are ranked, until no other can be on the page (ADR 48).
 */
export async function rankDocuments(
  transaction: TenantTransaction,
  query: RankedQuery,
  { isWordless = false, ...asked }: DocumentsToRank,
): Promise<RankedPage> {
  const { statistics, frequencies, meaning, ranking } = asked;
  const { parsed } = query;
  const words = isWordless ? [] : rankedWords(query, ranking.weights);
  const phrases = phraseQueries(parsed.phrases);
  const matches = mostMatching(parsed, frequencies, statistics.documents);
  const isPhrased = phrases.length > 0 || words.some(({ isPhrase }) => isPhrase);
  if (query.isSampled) {
    const sampled = isPhrased ? sampledPhrases(statistics, matches) : statistics;
    const byWords: FindByWords = (name) => sampledCandidates(query, words, sampled, name);
    const ranked = await rankCandidates(transaction, query, { ...asked, words, isWordless, byWords });
    return { ...ranked, isComplete: false, isExact: false, isTimedOut: true };
  }
  const byTiers = async () =>
    meaning?.weight !== 1 &&
    words.some(({ isNeeded }) => isNeeded) &&
    query.source.reach !== "place" &&
    // guard: every-document-has-tiers
    (await hasTiers(transaction, query.source.shelves));
  const rank = async (most: number): Promise<RankedPage> => {
    const choice = chooseCandidates(words, phrases, frequencies, statistics, most);
    const ranked = await rankCandidates(transaction, query, {
      ...asked,
      words,
      isWordless,
      byWords: (name) => chosenCandidates(query, words, choice, statistics, name),
    });
    const isComplete = meaning?.weight === 1 || (choice.isComplete && ranked.candidates < most);
    return { ...ranked, isComplete, isExact: isComplete, isTimedOut: false };
  };

  const { millis = usualMillis } = asked;
  if (matches > mostCandidates && (await byTiers())) {
    const began = performance.now();
    // For a phrase, hidden documents are read as well. How many there are must not change an answer.
    const most = isPhrased ? mostForPhrases : mostMatches;
    const isFew = (isPhrased ? statistics.documents : matches) <= most;
    const all = isFew
      ? await withinTime(transaction, Math.ceil(millis * partForAll), () => rank(most))
      : undefined;
    if (all?.isComplete) return all;
    return rankByTiers(transaction, query, words, { ...asked, millis: millis - (performance.now() - began) });
  }
  const ranked = await rank(mostCandidates);
  // There were more than expected.
  if (!ranked.isComplete && matches <= mostCandidates && (await byTiers()))
    return rankByTiers(transaction, query, words, asked);
  return ranked;
}
