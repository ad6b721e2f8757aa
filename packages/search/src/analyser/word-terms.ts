import { stemmer as stemArmenian } from "@orama/stemmers/armenian";
import { stemmer as stemGreek } from "@orama/stemmers/greek";
import { stemmer as stemHindi } from "@orama/stemmers/indian";
import { stemmer as stemRussian } from "@orama/stemmers/russian";
import { stemmer as stemTamil } from "@orama/stemmers/tamil";
import { stopwords as arabicStops } from "@orama/stopwords/arabic";
import { stopwords as englishStops } from "@orama/stopwords/english";
import { stopwords as greekStops } from "@orama/stopwords/greek";
import { stopwords as hindiStops } from "@orama/stopwords/indian";
import { stopwords as russianStops } from "@orama/stopwords/russian";
import { stem as stemEnglish } from "porter2";
import { cutTerm } from "./cut-term.ts";
import { type Language, latinLanguages } from "./latin-languages.ts";
import { foldAccents, normaliseWord } from "./normalise-word.ts";
import { stemArabic } from "./stem-arabic.ts";
import { stripKoreanParticle } from "./strip-korean-particle.ts";

/**
 * The terms of one normalised word of a script with spaces; none for a stop word. The first is the common form, which
 * always exists: by script, not by language, so that no wrong guess loses a match. It is followed by the stems of the
 * given languages, not marked as theirs: a German document then has haus for Häuser, so the single word Haus finds it
 * although one word does not determine a language; and most stems are the common form, stored once. Stop words of a
 * guessed language stay in a text and are dropped from a query: dropping them here as well gains 0.0006 on
 * xquad_de, and a wrong guess would lose words.
 */
export function wordTerms(whole: string, languages: readonly Language[]): string[] {
  const word =
    whole.length > longestWord ? whole.slice(0, longestWord).replace(/[\ud800-\udbff]$/u, "") : whole;
  const script = scripts.find(({ letters }) => letters.test(word));
  const terms = script ? script.terms(word, languages) : [word];
  return [...new Set(terms.filter((term) => term !== "").map(cutTerm))];
}

/** Far more than a term keeps of it. A stemmer takes a second for a megabyte without a space. */
const longestWord = 1_000;

interface Script {
  letters: RegExp;
  terms: (word: string, languages: readonly Language[]) => string[];
}

const scripts: Script[] = [
  { letters: /^[a-z0-9]|\p{sc=Latin}/u, terms: latinTerms },
  { letters: /\p{sc=Cyrillic}/u, terms: stemmed(russianStops, withoutStress, stemRussian) },
  { letters: /\p{sc=Arabic}/u, terms: stemmed(arabicStops, withoutVowelSigns, stemArabic) },
  { letters: /\p{sc=Devanagari}/u, terms: stemmed(hindiStops, asWritten, stemHindi) },
  { letters: /\p{sc=Greek}/u, terms: stemmed(greekStops, foldAccents, stemGreek) },
  { letters: /\p{sc=Hangul}/u, terms: koreanTerms },
  { letters: /\p{sc=Hebrew}/u, terms: (word) => [withoutVowelSigns(word)] },
  { letters: /\p{sc=Tamil}/u, terms: (word) => [stemTamil(word)] },
  { letters: /\p{sc=Armenian}/u, terms: (word) => [stemArmenian(word)] },
];

/**
 * The list lacks "a". May is a month and US a country (scifact 0.689 if they are dropped, 0.691 if not; cisi alike).
 */
const englishStopWords = new Set(["a", ...englishStops]).difference(new Set(["may", "us"]));

function latinTerms(word: string, languages: readonly Language[]): string[] {
  const folded = foldAccents(word);
  const bare = folded.replace(/['’].*/su, "");
  if (englishStopWords.has(folded.replace("’", "'")) || englishStopWords.has(bare)) return [];
  const stems = languages.map((language) =>
    foldAccents(latinLanguages[language].stem(word.replace(/['’].*/su, ""))),
  );
  return [stemEnglish(bare), ...spelledOut(word, languages), ...stems];
}

/** Köln is found as Koeln, too. Not in other languages: every other Finnish word has an ä, and nobody writes ae. */
function spelledOut(word: string, languages: readonly Language[]): string[] {
  if (!/[äöü]/u.test(word) || (languages.length > 0 && !languages.includes("de"))) return [];
  const whole = word.replace(/[äöü]/gu, (letter) => `${foldAccents(letter)}e`);
  return [stemEnglish(foldAccents(whole).replace(/['’].*/su, ""))];
}

/** Both: 고양이 (cat) ends like a particle, and must be found by 고양이는 and find it. */
function koreanTerms(word: string): string[] {
  return [word, stripKoreanParticle(word)];
}

/** The stemmer itself unifies the spellings of alef; doing it before costs xquad_ar 0.002. */
function withoutVowelSigns(word: string): string {
  return word.replace(/\p{M}+/gu, "");
}

/** The marks of Devanagari are its vowels. */
function asWritten(word: string): string {
  return word;
}

/** ё is written е as often as not; й stays, it is another letter. */
function withoutStress(word: string): string {
  return word.replace(/\u0301/gu, "").replace(/ё/gu, "е");
}

/** A word is compared with the stop words, and stemmed, in the spelling its script is searched in. */
function stemmed(
  stops: string[],
  spell: (word: string) => string,
  stem: (word: string) => string,
): Script["terms"] {
  const stopWords = new Set(stops.map((word) => spell(normaliseWord(word))));
  return (word) => {
    const spelt = spell(word);
    return stopWords.has(spelt) ? [] : [stem(spelt)];
  };
}
