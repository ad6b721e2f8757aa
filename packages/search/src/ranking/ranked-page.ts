import type { Meaning } from "./fuse.ts";
import type { RankedCandidates, Ranking, RankingKey } from "./rank-candidates.ts";
import type { Statistics } from "./statistics.ts";

export interface DocumentsToRank {
  ranking: Ranking;
  statistics: Statistics;
  /** About how many visible documents have each word. */
  frequencies: readonly number[];
  after?: RankingKey | undefined;
  limit: number;
  meaning?: Meaning | undefined;
  /** How long a search may take that cannot rank every match. */
  millis?: number;
  limits?: TierLimits;
  /** By meaning alone and without an explanation: words are ignored. */
  isWordless?: boolean;
}

/** How many documents are ranked by tiers. */
export interface TierLimits {
  /** In the first round, of each level. */
  first: number;
  /** In all. */
  most: number;
}

export interface RankedPage extends RankedCandidates {
  /** Whether all matches were ranked, so that `candidates` is their number. */
  isComplete: boolean;
  /** Whether the page is what ranking every match would give. */
  isExact: boolean;
  /** Better hits may be missing, because the time was over. */
  isTimedOut: boolean;
}
