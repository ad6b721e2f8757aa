import type { JoinedToken } from "./joined-token.ts";

/** One typed word, or two characters of a script without spaces. */
export interface QueryWord {
  /**
   * Its forms in text, any of which matches; the best one gives the score. None for a stop word. With the guessed
   * language's form alone, xquad_de falls from 0.943 to 0.939 and miracl_yo, where guesses are wrong, from 0.67 to
   * 0.56.
   */
  body: string[];
  /** Its forms in names: any of them, each with all its terms (AnnualReport: annualreport, or annual and report). */
  name: string[][];
  /** How often it was typed: its score is multiplied by this (cisi: 0.332 without, 0.416 with). */
  count: number;
  /** The prefix of an unfinished word: words that begin with it match too. */
  prefix?: string;
  /** In German: what compounds that end in this word begin with in the index. */
  tail?: string;
  /** A single character of a pair that is also a word here: it ranks, and need not match separately. */
  isPart: boolean;
  /** A number, code or address of several parts: a text has it if it has them in a row. */
  joined?: JoinedToken;
  /** Belongs to such a token: it ranks, and does not make a hit. */
  isJoined?: boolean;
  /** As written, if it may have a typo: an ordinary word without quotes. */
  spelling?: string;
  /** The typed word, if these are forms of words similar to it. */
  insteadOf?: string;
}
