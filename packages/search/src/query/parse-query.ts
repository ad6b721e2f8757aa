import { nameParts, wholeName, writtenForm } from "../analyser/analyse-name.ts";
import { compoundTail } from "../analyser/compound-tail.ts";
import { guessLanguage, isEnglish } from "../analyser/guess-language.ts";
import { type Language, latinLanguages } from "../analyser/latin-languages.ts";
import { normaliseWord } from "../analyser/normalise-word.ts";
import { scanWords } from "../analyser/scan-words.ts";
import { joinAlternatives, phraseOfAny, wordsOfAny } from "./alternatives.ts";
import { askedForms, askedNameForms } from "./asked-forms.ts";
import { gluedPhrases } from "./glued-phrases.ts";
import { type Ignored, lookalikeOf } from "./ignored.ts";
import { type JoinedToken, joinedToken } from "./joined-token.ts";
import { mayBeMisspelled } from "./may-be-misspelled.ts";
import { phraseOf, type QueryPhrase } from "./query-phrase.ts";
import type { QueryWord } from "./query-word.ts";
import type { QueryClock } from "./read-day.ts";
import { hasFilters, type QueryFilters, readFilters } from "./read-filters.ts";
import { splitQuery, type TypedPiece } from "./split-query.ts";

export type { QueryWord };

export interface ParsedQuery {
  /** All words that rank, including those of phrases, without excluded ones. */
  words: QueryWord[];
  /** In quotes: a hit has all of them. */
  phrases: QueryPhrase[];
  /** Typed without a space between their words: a hit that has all of them comes before hits with loose words. */
  glued: QueryPhrase[];
  excluded: QueryPhrase[];
  filters: QueryFilters;
  /** Parts that did not do what they look like. */
  ignored: Ignored[];
  /** All plain words, for the comparison with whole names. */
  wholeName: string;
  /** The languages the words were read in, besides English and the script's own. */
  languages: Language[];
  /** Nothing to look for: no word, no operator. */
  isEmpty: boolean;
  /** Whether more was typed than is used. */
  isCut: boolean;
}

const mostCharacters = 8000;
/** A question without spaces has as many pairs as characters (with 64: xquad_th 0.003 less, cisi 0.002 less). */
const mostWords = 128;

interface Circumstances {
  /**
   * The languages of the searched documents, for words that do not reveal their own: most queries are one word, and
   * Häuser finds Haus only in German.
   */
  spoken?: readonly Language[];
  /** Somebody is still typing: the last word may be unfinished. */
  isTyping?: boolean;
  /** What days are relative to; UTC unless told. */
  clock?: QueryClock;
}

export function parseQuery(
  typed: string,
  { spoken = [], isTyping = false, clock = { now: new Date(), timeZone: "UTC" } }: Circumstances = {},
): ParsedQuery {
  const text = typed.slice(0, mostCharacters).toWellFormed();
  const split = splitQuery(text, { isTyping });
  const isLoose = isSentence(split.filter((piece) => isPlain(piece) && piece.typed !== "OR"));
  const joined = isLoose ? { pieces: split, groups: [], ignored: [] } : joinAlternatives(split);
  const { pieces, groups } = joined;
  const plain = pieces.filter(isPlain);
  const titles =
    plain.length > 0 ? [] : pieces.filter(({ filter, isExcluded }) => filter === "title" && !isExcluded);
  const { languages, isStopWord } = readLanguage([...plain, ...titles], spoken);
  const words = new Map<string, QueryWord>();
  const add = (word: QueryWord) => {
    const key = JSON.stringify([word.body, word.name, word.prefix, word.isJoined]);
    const known = words.get(key);
    if (known) known.count += word.count;
    else words.set(key, word);
  };
  const isOfCompounds = languages.includes("de") && plain.length <= mostWithTails;
  const grouped = new Set(groups.flat());
  for (const piece of plain) {
    const group = groups.find(([first]) => first === piece);
    if (group) wordsOfAny(group.map((each) => wordsOf(each, languages, isStopWord, false))).forEach(add);
    if (grouped.has(piece)) continue;
    const token = isLoose ? undefined : joinedToken(piece, languages);
    const parts = wordsOf(piece, languages, isStopWord, isOfCompounds && !token);
    const each = token ? [wordOf(token), ...parts.map((part) => ({ ...part, isJoined: true }))] : parts;
    each.forEach(add);
  }
  // Names alone have them, so that they mean what they say, and they rank if nothing else does.
  const asTyped = (piece: TypedPiece) => wordsOf({ ...piece, isQuoted: true }, languages, () => false, false);
  for (const piece of titles) asTyped(piece).forEach(add);
  const read = readFilters(pieces, clock, {
    wordsOf: asTyped,
    phraseOf: (piece) => phraseOf(piece, languages),
  });
  const phrasesOf = (some: TypedPiece[]) =>
    some
      .slice(0, mostWords)
      .map((piece) => phraseOf(piece, languages))
      .filter(({ body, name }) => body.length + name.length > 0);
  const excluded = phrasesOf(pieces.filter((piece) => piece.isExcluded && !piece.filter));
  const alone = plain.filter((piece) => !grouped.has(piece));
  const anyOfGroups = groups.slice(0, mostWords).flatMap((group) => phraseOfAny(group, languages));
  return {
    words: [...words.values()].slice(0, mostWords),
    phrases: isLoose ? [] : [...phrasesOf(alone.filter(({ isQuoted }) => isQuoted)), ...anyOfGroups],
    glued: isLoose ? [] : gluedPhrases(alone, languages),
    excluded,
    filters: read.filters,
    ignored: [
      ...plain.flatMap((piece) => lookalikeOf(piece) ?? []),
      ...joined.ignored,
      ...read.ignored,
    ].slice(0, mostIgnored),
    wholeName: groups.length > 0 ? "" : wholeName([...plain, ...titles].map(({ text }) => text).join(" ")),
    languages,
    isEmpty: words.size === 0 && excluded.length === 0 && !hasFilters(read.filters),
    isCut: typed.length > mostCharacters || words.size > mostWords || read.isCut,
  };
}

/** Enough to see what is wrong. */
const mostIgnored = 20;

function isPlain({ filter, isExcluded }: TypedPiece): boolean {
  return !filter && !isExcluded;
}

/** With more words, enough documents have some of them. */
const mostWithTails = 3;

/** In a sentence quotes are punctuation, not phrases (cacm: 0.438 with them as phrases, 0.477 without). */
function isSentence(pieces: readonly TypedPiece[]): boolean {
  return pieces.filter(({ isQuoted }) => !isQuoted).length >= wordsOfSentence;
}

const wordsOfSentence = 9;

/** The query's own language, if that is clear; else the spoken ones as well. Its stop words are dropped only if two words or more are in it. */
function readLanguage(pieces: TypedPiece[], spoken: readonly Language[]) {
  const typed = pieces.flatMap(({ text }) => [...scanWords(text)].map((word) => normaliseWord(word.text)));
  const guess = guessLanguage(typed);
  const isSure = guess !== undefined && guess.evidence >= 2 && guess.languages.length === 1;
  const others = isSure || isEnglish(typed) ? [] : spoken;
  const languages = [...new Set([...(guess?.languages ?? []), ...others])];
  const stops = isSure ? guess.languages.map((language) => latinLanguages[language].stopWords) : [];
  const isStopWord = (word: string) => stops.some((words) => words.has(word));
  // "Was ist das" is all stop words: then these are searched for.
  return { languages, isStopWord: typed.every(isStopWord) ? () => false : isStopWord };
}

/** Its parts rank: the weight of the whole would count them twice. */
function wordOf(joined: JoinedToken): QueryWord {
  return { body: [], name: [joined.inName], joined, count: 0, isPart: false };
}

function wordsOf(
  piece: TypedPiece,
  languages: readonly Language[],
  isStopWord: (word: string) => boolean,
  isOfCompounds: boolean,
): QueryWord[] {
  const words: QueryWord[] = [];
  for (const scanned of scanWords(piece.text)) {
    const isOpen = piece.isOpen && scanned.end === piece.text.length;
    const normalised = normaliseWord(scanned.text);
    const forms = askedForms(scanned, languages);
    if (scanned.isDense) {
      for (const { term, isPart } of forms.terms) {
        // The index stores pairs: one kana or Thai letter finds those that begin with it.
        const isLone = forms.width === 1;
        words.push({ body: [term], name: [[term]], count: 1, isPart, ...(isLone && { prefix: term }) });
      }
      continue;
    }
    const spelling = mayBeMisspelled(piece, scanned);
    const tail = isOfCompounds && !isOpen && !piece.isQuoted ? compoundTail(normalised) : undefined;
    words.push({
      body: isStopWord(normalised) ? [] : [...new Set(forms.terms.map(({ term }) => term))],
      name: nameAlternatives(scanned.text),
      count: 1,
      isPart: false,
      ...(isOpen && { prefix: writtenForm(scanned.text) }),
      ...(spelling !== undefined && { spelling }),
      ...(tail !== undefined && { tail }),
    });
  }
  // A word of invisible characters has no form.
  return words.filter(({ body, name }) => body.length + name.length > 0);
}

function nameAlternatives(word: string): string[][] {
  const whole = askedNameForms(word).map((form) => [form]);
  const parts = nameParts(word)
    .map(writtenForm)
    .filter((part) => part !== "");
  return parts.length > 1 ? [...whole, parts] : whole;
}
