import type { TenantTransaction } from "@svc/database/database";
import { withinTime } from "../../visibility/within-time.ts";
import { type Bounds, type Meaning, scoreByWords } from "../fuse.ts";
import { mostWithEach } from "../phrased-words.ts";
import { type RankedCandidates, rankCandidates } from "../rank-candidates.ts";
import type { DocumentsToRank, RankedPage, TierLimits } from "../ranked-page.ts";
import type { SearchQuery } from "../search-query.ts";
import { mostRecency, type RankedWord, updatedSince } from "../word-score.ts";
import type { ChosenTiers } from "./choose-tiers.ts";
import type { LevelPlan } from "./level-plan.ts";
import { planLevels } from "./plan-levels.ts";
import { readTierSizes } from "./tier-sizes.ts";
import { tieredCandidates } from "./tiered-candidates.ts";

/** How many documents are ranked at first, and at most. */
const usualLimits = { first: 300, most: 20_000 };

/** While a page is not full, the next round reads this many times as many documents. */
const growth = 10;

/**
 * Up to three words a page is proved. For more, the bound is far above what any document has, and this part of it is
 * enough. So it is for phrases, of which few documents are: most that would be read to prove a page do not have it (ADR
 * 48).
 */
const proved = { words: 3, enoughForMore: 0.85 };

export const usualMillis = 1_500;
/** The first round may take this part of the time: what it finds is the answer if the next takes too long. */
const firstPart = 0.6;

/**
 * Ranks the documents in which the words matter most, the best levels first, and more of them until no other document
 * can be on the page: every document that was left out scores less than the bound of its level.
 */
export async function rankByTiers(
  transaction: TenantTransaction,
  query: SearchQuery,
  words: readonly RankedWord[],
  asked: DocumentsToRank,
): Promise<RankedPage> {
  const { millis = usualMillis, limits = usualLimits } = asked;
  const until = performance.now() + millis;
  const frequencies = mostWithEach(query.parsed, asked.frequencies, asked.statistics.documents);
  const sizes = await readTierSizes(transaction, query, words, { ...asked, frequencies });
  const plans = planLevels(query, words, { ...asked, frequencies }, sizes);
  const rank = (millis: number) =>
    withinTime(transaction, Math.max(1, Math.ceil(millis)), () =>
      rankCandidates(transaction, query, {
        ...asked,
        words,
        isWordless: false,
        byWords: (name) => tieredCandidates(query, words, plans, { most: limits.most, frequencies }, name),
      }),
    );

  begin(plans, asked.limit, limits);
  let found = await rank(millis * firstPart);
  let isTimedOut = found === undefined;
  if (!found) {
    for (const plan of plans) plan.shrink(3 * asked.limit);
    found = await rank(until - performance.now());
  }
  let verdict = found && !isTimedOut ? judge(plans, found, words, { limits, ...asked }) : "cut";
  while (verdict === "more") {
    const more = await rank(until - performance.now());
    isTimedOut = more === undefined;
    if (!more) break;
    const isPart = more.candidates >= limits.most || plans.some(({ since }) => since !== undefined);
    found = found && isPart ? together(found, more, asked.limit) : more;
    verdict = judge(plans, found, words, { limits, ...asked });
  }
  // Of too many, chance decided which were ranked: the best of them are ranked by themselves.
  let ranked = found?.candidates ?? 0;
  while (found && !isTimedOut && ranked >= limits.most && stepBack(plans)) {
    const best = await rank(until - performance.now());
    if (!best) break;
    ranked = best.candidates;
    found = together(best, found, asked.limit);
  }
  return {
    documents: [],
    bounds: undefined,
    candidates: 0,
    ...found,
    isComplete: verdict === "exact" && plans.every((plan) => plan.isWhole),
    isExact: verdict === "exact",
    isTimedOut,
  };
}

/** The best levels, as far as they may be needed. */
function begin(plans: readonly LevelPlan[], limit: number, { first }: TierLimits): void {
  let expected = 0;
  for (const plan of plans) {
    if (expected > 3 * limit) return;
    plan.begin(first);
    expected += plan.documents;
  }
}

function stepBack(plans: readonly LevelPlan[]): boolean {
  return plans.filter((plan) => plan.stepBack()).length > 0;
}

/** A round that ranked only some of its documents may lack those that the round before had found. */
function together(
  before: RankedCandidates,
  { documents, ...more }: RankedCandidates,
  limit: number,
): RankedCandidates {
  const byId = new Map([...documents, ...before.documents].map((document) => [document.id, document]));
  const sorted = [...byId.values()].sort(
    (left, right) => right.level - left.level || right.score - left.score || (left.id < right.id ? 1 : -1),
  );
  return { ...more, documents: sorted.slice(0, limit) };
}

/** exact: the page is that of ranking every match. enough: most likely. cut: not, and no more can be ranked. */
type Verdict = "exact" | "enough" | "cut" | "more";

/** Decides about a page, and how to go on. */
function judge(
  plans: readonly LevelPlan[],
  { documents, candidates, bounds }: RankedCandidates,
  words: readonly RankedWord[],
  { limit, limits: { first, most }, meaning, ranking }: DocumentsToRank & { limits: TierLimits },
): Verdict {
  if (candidates >= most) return "cut";
  const expected = plans.reduce((sum, plan) => sum + (plan.chosen?.size ?? 0), 0);
  // Filters and phrases may leave few of those that were expected. Each had to be read.
  const room = Math.min(10, Math.max(1, expected) / Math.max(1, candidates)) * most;
  let filled = 0;
  let isMore = false;
  let isCut = false;
  for (const plan of plans) {
    const { chosen } = plan;
    if (!chosen) {
      plan.begin(first);
      return "more";
    }
    filled += documents.filter(({ level }) => level === plan.number).length;
    const last = filled >= limit ? documents.at(-1) : undefined;
    if (!last) {
      if (plan.isWhole) continue;
      // The next level fills the page, if this takes too long.
      if (plan.goOn(({ size }) => size >= growth * chosen.size, room)) isMore = true;
      else isCut = true;
      continue;
    }
    if (isMore) return "more";
    const isOut = (part: number, bound: number) => isBelow(part * bound, last.score, meaning, bounds);
    // guard: pages-are-proved
    if (isOut(1, chosen.bound)) return isCut ? "cut" : "exact";
    const isEnough = ({ bound, likely }: ChosenTiers) => {
      if (plan.isInRow) return isOut(proved.enoughForMore, likely);
      return isOut(words.length > proved.words ? proved.enoughForMore : 1, bound);
    };
    if (isEnough(chosen)) return "enough";
    const since = meaning ? undefined : updatedSince(last.score / chosen.bound, ranking.now);
    return plan.goOn(isEnough, plan.isInRow ? most : room, since) ? "more" : "cut";
  }
  if (isMore) return "more";
  return isCut ? "cut" : "exact";
}

/** Whether a document with less than this score by words comes after one with that score. */
function isBelow(
  words: number,
  score: number,
  meaning: Meaning | undefined,
  bounds: Bounds | undefined,
): boolean {
  if (!meaning || !bounds) return words * mostRecency <= score;
  // A better document by words would change the share of all others.
  if (words > bounds.words) return false;
  return scoreByWords(meaning, bounds, words) * mostRecency <= score;
}
