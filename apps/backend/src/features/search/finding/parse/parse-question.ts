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

export function parseQuestion(question: Question): ParsedQuestion {
  const { limit, cursor, highlight, passages, explain, ...asked } = question;
  const key = searchKey(asked);
  const after = cursor === undefined ? undefined : readCursor(cursor, key);
  return readIn([], { question, key, after, corrections: after?.corrections ?? [] });
}

/** The same question, its words read in other languages. */
export function readIn(
  spoken: readonly Language[],
  { question, key, after, corrections }: Omit<ParsedQuestion, "parsed" | "spoken">,
): ParsedQuestion {
  const parsed = parseQuery(question.query, { isTyping: question.typing, spoken });
  return { question, parsed: withCorrections(parsed, corrections), key, after, corrections, spoken };
}
