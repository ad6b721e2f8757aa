import { quoteLexeme } from "../analyser/to-tsvector.ts";
import type { ParsedQuery, QueryPhrase, QueryWord } from "./parse-query.ts";

/** A word of a query in PostgreSQL's form: texts of tsqueries, null if there is none. */
export interface WordQuery {
  /** Each form in text; the best one counts. */
  forms: [string | null, string | null, string | null];
  /** Words in text that begin with it, while it is being typed. */
  begun: string | null;
  /** Any form, for finding. */
  body: string | null;
  name: string | null;
  count: number;
  /** A document with all of these has everything that was asked for. */
  isNeeded: boolean;
}

export interface PhraseQuery {
  body: string | null;
  name: string | null;
}

export function wordQueries({ words }: ParsedQuery): WordQuery[] {
  const queries = words.map(wordQuery);
  // Only words that every text has: then these are searched for.
  return queries.some(({ isNeeded }) => isNeeded)
    ? queries
    : queries.map((query) => ({ ...query, isNeeded: true }));
}

function wordQuery({ body, name, count, prefix, isPart }: QueryWord): WordQuery {
  const [first = null, second = null, ...more] = body.map(quoteLexeme);
  const begun = prefix === undefined || prefix === "" ? null : `${quoteLexeme(prefix)}:*`;
  const inName = name.map((terms) => `(${terms.map(quoteLexeme).join(" & ")})`);
  return {
    forms: [first, second, more.length > 0 ? more.join(" | ") : null],
    begun,
    body: anyOf([...body.map(quoteLexeme), ...(begun ? [begun] : [])]),
    name: anyOf([...inName, ...(begun ? [begun] : [])]),
    count,
    isNeeded: body.length > 0 && !isPart,
  };
}

export function anyOf(queries: readonly (string | null)[]): string | null {
  const some = [...new Set(queries.filter((query) => query !== null))];
  return some.length === 0 ? null : some.join(" | ");
}

export function phraseQueries(phrases: readonly QueryPhrase[]): PhraseQuery[] {
  return phrases.map(({ body, name }) => ({ body: phraseQuery(body), name: phraseQuery(name) }));
}

function phraseQuery(words: QueryPhrase["body"]): string | null {
  let query: string | null = null;
  let last = 0;
  for (const { forms, offset } of words) {
    const any = `(${forms.map(quoteLexeme).join(" | ")})`;
    query = query === null ? any : `${query} <${offset - last}> ${any}`;
    last = offset;
  }
  return query;
}
