import { type ParsedQuery, parseQuery } from "@svc/search/query/parse-query";
import type { Question } from "./question.ts";
import { type Cursor, readCursor, searchKey } from "./search-cursor.ts";

/** A parsed question: its words and operators, and where the previous page ended. */
export interface ParsedQuestion {
  question: Question;
  parsed: ParsedQuery;
  /** The same for every page of one search. */
  key: string;
  after: Cursor | undefined;
}

export function parseQuestion(question: Question): ParsedQuestion {
  const { limit, cursor, highlight, explain, ...asked } = question;
  const key = searchKey(asked);
  return {
    question,
    parsed: parseQuery(question.query),
    key,
    after: cursor === undefined ? undefined : readCursor(cursor, key),
  };
}
