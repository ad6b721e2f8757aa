import { withoutStackedMarks } from "@svc/unicode/stacked-marks";
import type { Term } from "./analyse-text.ts";
import { wordForms } from "./analyse-text.ts";
import { cutTerm } from "./cut-term.ts";
import { foldAccents, normaliseWord } from "./normalise-word.ts";
import { scanWords } from "./scan-words.ts";
import { signTerm } from "./sign-term.ts";

/**
 * The terms of the name of a file, folder or workspace, or of a title. Nothing is dropped, and every part is stored
 * as written beside its stem: names are short, and people type what they see. After the parts, one position further
 * so that no phrase crosses into them, come the whole name with its extension (.pdf), and all its letters and digits in
 * one word (plt3699 for PLT-3699).
 */
export function analyseName(name: string): Term[] {
  const terms: Term[] = [];
  let position = 1;
  for (const word of scanWords(withoutStackedMarks(name).normalize("NFC"))) {
    if (word.isDense) {
      const { terms: characters, width } = wordForms(word, []);
      for (const { term, offset } of characters) terms.push({ term, position: position + offset });
      position += width;
      continue;
    }
    const parts = nameParts(word.text);
    for (const form of nameForms(word.text)) terms.push({ term: form, position });
    if (parts.length > 1) {
      for (const [offset, part] of parts.entries()) {
        for (const form of nameForms(part)) terms.push({ term: form, position: position + offset });
      }
    }
    position += Math.max(1, parts.length);
  }
  const base = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  for (const whole of new Set([wholeName(base), joinedName(base), joinedName(withoutExtension(base))])) {
    position += 2;
    if (whole !== "") terms.push({ term: whole, position });
  }
  const extension = signTerm(base.slice(withoutExtension(base).length));
  if (extension !== undefined) terms.push({ term: extension, position });
  const known = new Set<string>();
  return terms.filter(({ term, position }) => known.size < known.add(`${position} ${term}`).size);
}

/** A whole name, in the form that is compared with the query. */
export function wholeName(name: string): string {
  return cutTerm(foldAccents(normaliseWord(name)).trim().replace(/\s+/gu, " "));
}

/** A part of a name as written, and its stem. Includes stop words: The Who. */
export function nameForms(part: string): string[] {
  const stems = wordForms({ text: part, isDense: false }, []).terms.map(({ term }) => term);
  return [...new Set([writtenForm(part), ...stems])].filter((form) => form !== "");
}

/** As written, not stemmed. Vowel signs of Indian scripts are marks as well: only these two scripts lose theirs. */
export function writtenForm(word: string): string {
  const sign = signTerm(word);
  if (sign !== undefined) return sign;
  const normalised = normaliseWord(word);
  return cutTerm(/\p{sc=Latin}|\p{sc=Greek}/u.test(normalised) ? foldAccents(normalised) : normalised);
}

/** AnnualReport → Annual, Report; HTMLParser → HTML, Parser; Q3 → Q, 3. */
export function nameParts(word: string): string[] {
  return word.match(/(?:\p{Lu}\p{M}*)+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{M}]+|\p{N}+/gu) ?? [];
}

function joinedName(name: string): string {
  return wholeName(name).replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}

function withoutExtension(name: string): string {
  return name.replace(/(?<=.)\.[^.\s]{1,10}$/u, "");
}
