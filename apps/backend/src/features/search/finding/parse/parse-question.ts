import type { Language } from "@svc/search/analyser/latin-languages";
import { type ParsedQuery, parseQuery } from "@svc/search/query/parse-query";
import { type Correction, withCorrections } from "@svc/search/query/with-corrections";
import type { Question } from "./question.ts";
import { type Cursor, readCursor, searchKey } from "./search-cursor.ts";

/** A parsed question: its words and operators, and where the previous page ended. */
export interface ParsedQuestion {
  question: Question;
  parsed: ParsedQuery;
  /** The same for every page of one search. */
  key: string;
  after: Cursor | undefined;
  /** When its first page was asked for. */
  now: Date;
  /** Words that nothing contains, and what is searched for instead: the first page decides for all later ones. */
  corrections: readonly Correction[];
  /** Languages of the searched documents, in which words are read that do not reveal their own. */
  spoken: readonly Language[];
}

/** A star, a quote: no word, and no filter that could find something by itself. A workspace is only where to look. */
export function isEmptyQuestion({ parsed, question }: ParsedQuestion): boolean {
  const { folderId, mediaType, owner, updatedAfter } = question;
  return parsed.isEmpty && [folderId, mediaType, owner, updatedAfter].every((filter) => filter === undefined);
}

/** Whose hits depend on where days begin. */
const namesDays = /(?:before|after):/iu;

/** `at`: when it is asked. */
export function parseQuestion(question: Question, at: Date): ParsedQuestion {
  // What decides which hits there are, and their order.
  const { limit, cursor, maxTokens, highlight, passages, explain, facets, timeZone, ...asked } = question;
  const key = searchKey({ ...asked, ...(namesDays.test(asked.query) ? { timeZone } : {}) });
  const after = cursor === undefined ? undefined : readCursor(cursor, key);
  // A cursor is the caller's to change: years are counted from the present one.
  const now = after ? new Date(Math.min(Date.parse(after.now), at.getTime())) : at;
  return readIn([], { question, key, after, now, corrections: after?.corrections ?? [] });
}

/** The same question, its words read in other languages. */
export function readIn(
  spoken: readonly Language[],
  { question, key, after, now, corrections }: Omit<ParsedQuestion, "parsed" | "spoken">,
): ParsedQuestion {
  const clock = { now, timeZone: question.timeZone };
  const parsed = parseQuery(question.query, { isTyping: question.typing, spoken, clock });
  return { question, parsed: withCorrections(parsed, corrections), key, after, now, corrections, spoken };
}
