import { nameParts, wholeName, writtenForm } from "../analyser/analyse-name.ts";
import { compoundTail } from "../analyser/compound-tail.ts";
import { guessLanguage, isEnglish } from "../analyser/guess-language.ts";
import { type Language, latinLanguages } from "../analyser/latin-languages.ts";
import { normaliseWord } from "../analyser/normalise-word.ts";
import { scanWords } from "../analyser/scan-words.ts";
import { askedForms, askedNameForms } from "./asked-forms.ts";
import { gluedPhrases } from "./glued-phrases.ts";
import { type JoinedToken, joinedToken } from "./joined-token.ts";
import { mayBeMisspelled } from "./may-be-misspelled.ts";
import { phraseOf, type QueryPhrase } from "./query-phrase.ts";
import { splitQuery, type TypedPiece } from "./split-query.ts";

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

export interface ParsedQuery {
  /** All words that rank, including those of phrases, without excluded ones. */
  words: QueryWord[];
  /** In quotes: a hit has all of them. */
  phrases: QueryPhrase[];
  /** Typed without a space between their words: a hit that has all of them comes before hits with loose words. */
  glued: QueryPhrase[];
  excluded: QueryPhrase[];
  filters: { types: string[]; excludedTypes: string[]; in: string[]; notIn: string[] };
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
/** Each is searched for in every workspace. */
const mostPlaces = 50;

interface Circumstances {
  /**
   * The languages of the searched documents, for words that do not reveal their own: most queries are one word, and
   * Häuser finds Haus only in German.
   */
  spoken?: readonly Language[];
  /** Somebody is still typing: the last word may be unfinished. */
  isTyping?: boolean;
}

export function parseQuery(
  typed: string,
  { spoken = [], isTyping = false }: Circumstances = {},
): ParsedQuery {
  const text = typed.slice(0, mostCharacters).toWellFormed();
  const pieces = splitQuery(text, { isTyping });
  const plain = pieces.filter((piece) => !piece.filter && !piece.isExcluded);
  const { languages, isStopWord } = readLanguage(plain, spoken);
  const isLoose = isSentence(plain);
  const words = new Map<string, QueryWord>();
  const isOfCompounds = languages.includes("de") && plain.length <= mostWithTails;
  for (const piece of plain) {
    const token = isLoose ? undefined : joinedToken(piece, languages);
    const parts = wordsOf(piece, languages, isStopWord, isOfCompounds && !token);
    for (const word of token
      ? [wordOf(token), ...parts.map((part) => ({ ...part, isJoined: true }))]
      : parts) {
      const key = JSON.stringify([word.body, word.name, word.prefix, word.isJoined]);
      const known = words.get(key);
      if (known) known.count += word.count;
      else words.set(key, word);
    }
  }
  const filtersOf = (filter: "type" | "in", isExcluded: boolean) =>
    pieces
      .filter((piece) => piece.filter === filter && piece.isExcluded === isExcluded)
      .map(({ text }) => text);
  const within = filtersOf("in", false);
  const notWithin = filtersOf("in", true);
  const phrasesOf = (some: TypedPiece[]) =>
    some
      .slice(0, mostWords)
      .map((piece) => phraseOf(piece, languages))
      .filter(({ body, name }) => body.length + name.length > 0);
  const excluded = phrasesOf(pieces.filter((piece) => piece.isExcluded && !piece.filter));
  return {
    words: [...words.values()].slice(0, mostWords),
    phrases: isLoose ? [] : phrasesOf(plain.filter(({ isQuoted }) => isQuoted)),
    glued: isLoose ? [] : gluedPhrases(plain, languages),
    excluded,
    filters: {
      types: filtersOf("type", false).map((type) => normaliseWord(type).replace(/^\./u, "")),
      excludedTypes: filtersOf("type", true).map((type) => normaliseWord(type).replace(/^\./u, "")),
      in: within.slice(0, mostPlaces),
      notIn: notWithin.slice(0, mostPlaces),
    },
    wholeName: wholeName(plain.map(({ text }) => text).join(" ")),
    languages,
    isEmpty: words.size === 0 && excluded.length === 0 && pieces.every(({ filter }) => !filter),
    isCut:
      typed.length > mostCharacters ||
      words.size > mostWords ||
      within.length > mostPlaces ||
      notWithin.length > mostPlaces,
  };
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
