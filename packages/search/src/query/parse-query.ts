import { nameForms, nameParts, wholeName, writtenForm } from "../analyser/analyse-name.ts";
import { wordForms } from "../analyser/analyse-text.ts";
import { guessLanguage } from "../analyser/guess-language.ts";
import { type Language, latinLanguages } from "../analyser/latin-languages.ts";
import { normaliseWord } from "../analyser/normalise-word.ts";
import { scanWords } from "../analyser/scan-words.ts";
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
  /** A single character of a pair that is also a word here: it ranks, and need not match separately. */
  isPart: boolean;
}

/** Consecutive words; the offset counts words left out between them. */
export interface QueryPhrase {
  body: { forms: string[]; offset: number }[];
  name: { forms: string[]; offset: number }[];
}

export interface ParsedQuery {
  /** All words that rank, including those of phrases, without excluded ones. */
  words: QueryWord[];
  phrases: QueryPhrase[];
  excluded: QueryPhrase[];
  filters: { types: string[]; excludedTypes: string[]; in: string[]; notIn: string[] };
  /** All plain words, for the comparison with whole names. */
  wholeName: string;
  /** The typed words in lower case: an identical word in a text matches. */
  typed: string[];
  /** The languages the words were read in, besides English and the script's own. */
  languages: Language[];
  /** Whether more was typed than is used. */
  isCut: boolean;
}

const mostCharacters = 8000;
/** A question without spaces has as many pairs as characters (with 64: xquad_th 0.003 less, cisi 0.002 less). */
const mostWords = 128;
/** Each is searched for in every workspace. */
const mostPlaces = 50;

/**
 * Parses a typed query. `spoken`: the languages of the searched documents, for words that do not reveal their own:
 * most queries are one word, and Häuser finds Haus only in German.
 */
export function parseQuery(typed: string, spoken: readonly Language[] = []): ParsedQuery {
  const text = typed.slice(0, mostCharacters).toWellFormed();
  const pieces = splitQuery(text);
  const plain = pieces.filter((piece) => !piece.filter && !piece.isExcluded);
  const { languages, isStopWord } = readLanguage(plain, spoken);
  const words = new Map<string, QueryWord>();
  for (const piece of plain) {
    for (const word of wordsOf(piece, languages, isStopWord)) {
      const key = JSON.stringify([word.body, word.name, word.prefix]);
      const known = words.get(key);
      if (known) known.count++;
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
  return {
    words: [...words.values()].slice(0, mostWords),
    phrases: isSentence(plain) ? [] : phrasesOf(plain.filter(({ isQuoted }) => isQuoted)),
    excluded: phrasesOf(pieces.filter((piece) => piece.isExcluded && !piece.filter)),
    filters: {
      types: filtersOf("type", false).map((type) => normaliseWord(type).replace(/^\./u, "")),
      excludedTypes: filtersOf("type", true).map((type) => normaliseWord(type).replace(/^\./u, "")),
      in: within.slice(0, mostPlaces),
      notIn: notWithin.slice(0, mostPlaces),
    },
    wholeName: wholeName(plain.map(({ text }) => text).join(" ")),
    typed: plain.flatMap(({ text }) => [...scanWords(text)].map((word) => word.text.toLowerCase())),
    languages,
    isCut:
      typed.length > mostCharacters ||
      words.size > mostWords ||
      within.length > mostPlaces ||
      notWithin.length > mostPlaces,
  };
}

/** In a sentence quotes are punctuation, not phrases (cacm: 0.438 with them as phrases, 0.477 without). */
function isSentence(pieces: readonly TypedPiece[]): boolean {
  return pieces.filter(({ isQuoted }) => !isQuoted).length >= wordsOfSentence;
}

const wordsOfSentence = 9;

/** The query's own language before the spoken ones. Its stop words are dropped only if two words or more are in it. */
function readLanguage(pieces: TypedPiece[], spoken: readonly Language[]) {
  const typed = pieces.flatMap(({ text }) => [...scanWords(text)].map((word) => normaliseWord(word.text)));
  const guess = guessLanguage(typed);
  const isSure = guess !== undefined && guess.evidence >= 2 && guess.languages.length === 1;
  const languages = isSure ? guess.languages : [...new Set([...(guess?.languages ?? []), ...spoken])];
  const stops = isSure ? guess.languages.map((language) => latinLanguages[language].stopWords) : [];
  const isStopWord = (word: string) => stops.some((words) => words.has(word));
  // "Was ist das" is all stop words: then these are searched for.
  return { languages, isStopWord: typed.every(isStopWord) ? () => false : isStopWord };
}

function wordsOf(
  piece: TypedPiece,
  languages: readonly Language[],
  isStopWord: (word: string) => boolean,
): QueryWord[] {
  const words: QueryWord[] = [];
  for (const scanned of scanWords(piece.text)) {
    const isOpen = piece.isOpen && scanned.end === piece.text.length;
    const normalised = normaliseWord(scanned.text);
    const forms = wordForms(scanned, languages);
    if (scanned.isDense) {
      for (const { term, isPart } of forms.terms) {
        // The index stores pairs: one kana or Thai letter finds those that begin with it.
        const isLone = forms.width === 1;
        words.push({ body: [term], name: [[term]], count: 1, isPart, ...(isLone && { prefix: term }) });
      }
      continue;
    }
    words.push({
      body: isStopWord(normalised) ? [] : [...new Set(forms.terms.map(({ term }) => term))],
      name: nameAlternatives(scanned.text),
      count: 1,
      isPart: false,
      ...(isOpen && { prefix: writtenForm(scanned.text) }),
    });
  }
  return words;
}

function nameAlternatives(word: string): string[][] {
  const whole = nameForms(word).map((form) => [form]);
  const parts = nameParts(word)
    .map(writtenForm)
    .filter((part) => part !== "");
  return parts.length > 1 ? [...whole, parts] : whole;
}

function phraseOf(piece: TypedPiece, languages: readonly Language[]): QueryPhrase {
  const phrase: QueryPhrase = { body: [], name: [] };
  let bodyAt = 0;
  let nameAt = 0;
  for (const scanned of scanWords(piece.text)) {
    const { terms, width } = wordForms(scanned, languages);
    const pairs = terms.filter(({ isPart }) => !isPart);
    for (const [offset, forms] of Map.groupBy(pairs, (form) => form.offset)) {
      phrase.body.push({ forms: forms.map(({ term }) => term), offset: bodyAt + offset });
      if (scanned.isDense)
        phrase.name.push({ forms: forms.map(({ term }) => term), offset: nameAt + offset });
    }
    const inName = scanned.isDense ? [] : nameForms(scanned.text);
    if (inName.length > 0) phrase.name.push({ forms: inName, offset: nameAt });
    bodyAt += width;
    nameAt += scanned.isDense ? width : Math.max(1, nameParts(scanned.text).length);
    if (bodyAt > mostWords) break;
  }
  return phrase;
}
