import { writtenForm } from "../analyser/analyse-name.ts";
import { languagesOfText, wordForms } from "../analyser/analyse-text.ts";
import { compoundMark } from "../analyser/compound-tail.ts";
import { charactersOf } from "../analyser/dense-terms.ts";
import type { Language } from "../analyser/latin-languages.ts";
import { normaliseWord } from "../analyser/normalise-word.ts";
import { type ScannedWord, scanWords } from "../analyser/scan-words.ts";
import type { ParsedQuery } from "../query/parse-query.ts";

/** Where a word of the query occurs in the text (UTF-16 offsets), and which word it is. */
export interface Match {
  start: number;
  end: number;
  word: number;
}

/**
 * In the order of the text; the pairs of a run without spaces overlap. The language of the text is guessed only if
 * nothing matches otherwise: it takes as long as all the rest.
 */
export function findMatches(text: string, query: ParsedQuery): Match[] {
  const matches = matchesIn(text, matcherOf(query, query.languages));
  if (matches.length > 0) return matches;
  const languages = new Set(query.languages).union(new Set(languagesOfText(text)));
  return languages.size === query.languages.length ? [] : matchesIn(text, matcherOf(query, [...languages]));
}

function matchesIn(text: string, matcher: Matcher): Match[] {
  const matches: Match[] = [];
  for (const word of scanWords(text)) {
    if (word.isDense) {
      for (const match of matchesOfRun(word, matcher.wordOf)) matches.push(match);
      continue;
    }
    const index = matcher.match(word);
    if (index !== undefined) matches.push({ start: word.start, end: word.end, word: index });
  }
  return matches;
}

/** For one query and all texts of a page in the same languages: most of their words are the same. */
class Matcher {
  /** Of the query, by term. */
  readonly wordOf = new Map<string, number>();
  readonly #prefixes: { prefix: string; word: number }[] = [];
  readonly #tails: { tail: string; word: number }[] = [];
  readonly #languages: readonly Language[];
  readonly #beginnings = new Set<string>();
  readonly #known = new Map<string, number | undefined>();

  constructor(query: ParsedQuery, languages: readonly Language[]) {
    this.#languages = languages;
    for (const [index, { body, prefix, tail, isPart }] of query.words.entries()) {
      // A single character of 東京都 does not match the query.
      if (isPart) continue;
      for (const term of body) this.wordOf.set(term, index);
      if (prefix !== undefined) this.#prefixes.push({ prefix, word: index });
      if (tail !== undefined) this.#tails.push({ tail, word: index });
    }
    for (const term of [...this.wordOf.keys(), ...this.#prefixes.map(({ prefix }) => prefix)]) {
      this.#beginnings.add(term.charAt(0));
    }
  }

  match(word: ScannedWord): number | undefined {
    if (this.#cannotMatch(word.text)) return undefined;
    if (!this.#known.has(word.text)) this.#known.set(word.text, this.#look(word));
    return this.#known.get(word.text);
  }

  /** English stems begin like their words; those of other languages may not: Indonesian stems lose their prefixes. */
  #cannotMatch(text: string): boolean {
    return (
      this.#languages.length === 0 &&
      /^[a-zA-Z0-9]/.test(text) &&
      !this.#beginnings.has(text.charAt(0).toLowerCase())
    );
  }

  #look(word: ScannedWord): number | undefined {
    const forms = wordForms(word, this.#languages).terms.map(({ term }) => this.wordOf.get(term));
    const begun = this.#prefixes.find(({ prefix }) => writtenForm(word.text).startsWith(prefix));
    return forms.find((index) => index !== undefined) ?? begun?.word ?? this.#endOf(word);
  }

  #endOf({ text }: ScannedWord): number | undefined {
    const mark = this.#tails.length > 0 ? compoundMark(normaliseWord(text)) : undefined;
    return mark === undefined ? undefined : this.#tails.find(({ tail }) => mark.startsWith(tail))?.word;
  }
}

const matchers = new WeakMap<ParsedQuery, Map<string, Matcher>>();

function matcherOf(query: ParsedQuery, languages: readonly Language[]): Matcher {
  const known = matchers.get(query) ?? new Map<string, Matcher>();
  matchers.set(query, known);
  const matcher = known.get(languages.join()) ?? new Matcher(query, languages);
  known.set(languages.join(), matcher);
  return matcher;
}

function* matchesOfRun(run: ScannedWord, wordOf: ReadonlyMap<string, number>): Generator<Match> {
  let before: Place | undefined;
  for (const place of placesOfRun(run)) {
    const alone = wordOf.get(place.character);
    if (alone !== undefined) yield { start: place.start, end: place.end, word: alone };
    const pair = before && wordOf.get(before.character + place.character);
    if (before && pair !== undefined) yield { start: before.start, end: place.end, word: pair };
    before = place;
  }
}

interface Place {
  character: string;
  start: number;
  end: number;
}

function* placesOfRun({ text, start }: ScannedWord): Generator<Place> {
  // Most runs are already normal; checking each character takes four times as long.
  const isNormal = normaliseWord(text) === text;
  const stretches = isNormal ? charactersOf(text) : text.match(stretchOfItsOwn);
  let at = start;
  for (const stretch of stretches ?? []) {
    const end = at + stretch.length;
    if (isNormal) yield { character: stretch, start: at, end };
    else for (const character of charactersOf(normaliseWord(stretch))) yield { character, start: at, end };
    at = end;
  }
}

/** Characters whose number changes under NFKC are kept together: ｶﾞ is two and becomes ガ, ำ is one and becomes ํา. */
const stretchOfItsOwn = /[^\p{M}][\p{M}\uff9e\uff9f\u0e33\u0eb3]*|\p{M}+/gsu;
