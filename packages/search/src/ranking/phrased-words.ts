import type { ParsedQuery, QueryWord } from "../query/parse-query.ts";
import type { PhraseWord, QueryPhrase } from "../query/query-phrase.ts";
import { wordQueries } from "../query/query-words.ts";

/** Whether every document with the phrase has the word: in its text if the phrase is there, else in its name. */
export function isImplied({ body, name, prefix }: QueryWord, phrase: QueryPhrase): boolean {
  const alone = name.flatMap(([form, ...parts]) => (form !== undefined && parts.length === 0 ? [form] : []));
  const isOneOf = (known: readonly string[]) => (word: PhraseWord) =>
    word.forms.every((form) => known.includes(form)) && (word.prefix === undefined || word.prefix === prefix);
  return [phrase, ...(phrase.or ?? [])].every(
    (either) =>
      (either.body.length === 0 || either.body.some(isOneOf(body))) &&
      (either.name.length === 0 || either.name.some(isOneOf(alone))),
  );
}

/**
 * At most how many documents have the phrase, and about how many are read to find them: the index finds those with all
 * its words, in any order, of which there are no more than of the rarest.
 */
export function mostWithPhrase(
  { or = [], ...phrase }: QueryPhrase,
  { words }: Pick<ParsedQuery, "words">,
  frequencies: readonly number[],
): number {
  const each = [phrase, ...or].map((either) =>
    Math.min(...words.map((word, index) => (isImplied(word, either) ? (frequencies[index] ?? 0) : Infinity))),
  );
  return each.reduce((sum, most) => sum + most, 0);
}

/** The same for each word of a query: a joined token is a phrase in texts, of parts that are words of the query, too. */
export function mostWithEach(
  parsed: ParsedQuery,
  frequencies: readonly number[],
  documents: number,
): number[] {
  return parsed.words.map(({ joined }, index) =>
    joined
      ? Math.min(documents, mostWithPhrase({ body: joined.body, name: [] }, parsed, frequencies))
      : (frequencies[index] ?? 0),
  );
}

/** At most how many of the documents match the query, and about how many are read to find them. */
export function mostMatching(parsed: ParsedQuery, frequencies: readonly number[], documents: number): number {
  const each = mostWithEach(parsed, frequencies, documents);
  const sum = wordQueries(parsed).reduce(
    (total, { isNeeded }, index) => total + (isNeeded ? (each[index] ?? 0) : 0),
    0,
  );
  const withPhrases = parsed.phrases.map((phrase) => mostWithPhrase(phrase, parsed, frequencies));
  return Math.min(documents, sum, ...withPhrases);
}
