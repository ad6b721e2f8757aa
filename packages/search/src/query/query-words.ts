import { quoteLexeme } from "../analyser/to-tsvector.ts";
import type { PhraseWord, QueryPhrase } from "./query-phrase.ts";
import type { QueryWord } from "./query-word.ts";

/** A word of a query in PostgreSQL's form: texts of tsqueries, null if there is none. */
export interface WordQuery {
  /** Each form in text; the best one counts. */
  forms: [string | null, string | null, string | null];
  /** Words that begin with it, while it is being typed. */
  begun: string | null;
  /** Compounds that end in it. */
  ends: string | null;
  /** Any form in text or in a name, a beginning or an end: for finding. */
  body: string | null;
  name: string | null;
  /** Any form in a name, finished. */
  wholeInName: string | null;
  count: number;
  /** A document with all of these has everything that was asked for. */
  isNeeded: boolean;
  /** Its form is a phrase, which counts as one occurrence. */
  isPhrase: boolean;
}

export interface PhraseQuery {
  body: string | null;
  name: string | null;
}

export interface PhraseInRow extends PhraseQuery {
  /** Its words in text, in any order: the index knows which documents have them, without reading one. */
  loose: string | null;
}

export function wordQueries({ words }: { words: readonly QueryWord[] }): WordQuery[] {
  const queries = words.map(wordQuery);
  // Only words that every text has: then these are searched for.
  return queries.some(({ isNeeded }) => isNeeded)
    ? queries
    : queries.map((query) => ({ ...query, isNeeded: true }));
}

function wordQuery({
  body,
  name,
  count,
  prefix,
  tail,
  isPart,
  joined,
  isJoined = false,
}: QueryWord): WordQuery {
  const inText = joined ? [phraseQuery(joined.body)] : body.map(quoteLexeme);
  const [first = null, second = null, ...more] = inText;
  const begun = prefix === undefined || prefix === "" ? null : beginningWith(prefix);
  const ends = tail === undefined ? null : beginningWith(tail);
  const inName = name.map((terms) => `(${terms.map(quoteLexeme).join(" & ")})`);
  return {
    forms: [first, second, more.length > 0 ? more.join(" | ") : null],
    begun,
    ends,
    body: anyOf([...inText, begun, ends]),
    name: anyOf([...inName, begun, ends]),
    wholeInName: anyOf(inName),
    count,
    isNeeded: inText.length > 0 && !isPart && !isJoined,
    isPhrase: joined !== undefined,
  };
}

function beginningWith(prefix: string): string {
  return `${quoteLexeme(prefix)}:*`;
}

export function anyOf(queries: readonly (string | null)[]): string | null {
  const some = [...new Set(queries.filter((query) => query !== null))];
  return some.length === 0 ? null : some.join(" | ");
}

/** Null if one of them is null: nothing has it. */
export function allOf(queries: readonly (string | null)[]): string | null {
  const some = queries.filter((query) => query !== null);
  return some.length < queries.length ? null : some.map((query) => `(${query})`).join(" & ");
}

export function phraseQueries(phrases: readonly QueryPhrase[]): PhraseInRow[] {
  return phrases.map((phrase) => {
    const any = [phrase, ...(phrase.or ?? [])];
    return {
      body: anyOf(any.map(({ body }) => phraseQuery(body))),
      loose: anyOf(any.map(({ body }) => phraseQuery(body, () => "&"))),
      name: anyOf(any.map(({ name }) => phraseQuery(name))),
    };
  });
}

/** Its words in any order. */
export function looseOf({ loose, name }: PhraseInRow): PhraseQuery {
  return { body: loose, name };
}

/** A name has all these words or, in quotes, has them in a row. Null if there is none. */
export function wordsInName(phrase: QueryPhrase | undefined, words: readonly QueryWord[]): string | null {
  if (phrase) return phraseQuery(phrase.name);
  return words.length === 0 ? null : allOf(words.map((word) => wordQuery(word).name));
}

/** A name has the word. */
export function nameQuery(word: QueryWord): string | null {
  return wordQuery(word).name;
}

function phraseQuery(
  words: readonly PhraseWord[],
  operator = (distance: number) => `<${distance}>`,
): string | null {
  let query: string | null = null;
  let last = 0;
  for (const { forms, offset, prefix } of words) {
    const begun = prefix === undefined || prefix === "" ? [] : [beginningWith(prefix)];
    const any = `(${[...forms.map(quoteLexeme), ...begun].join(" | ")})`;
    query = query === null ? any : `${query} ${operator(offset - last)} ${any}`;
    last = offset;
  }
  return query;
}
