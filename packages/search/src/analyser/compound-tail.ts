import { latinLanguages } from "./latin-languages.ts";
import { foldAccents } from "./normalise-word.ts";

/** Shorter ones are seldom compounds: every tenth word of a German text has as many letters. */
const leastLetters = 10;
/** Of what is typed: less ends too many words. */
const leastTyped = 4;

/**
 * A long word once more, without its inflection and from its end to its beginning, so that its last part is found as a
 * beginning: Aktiengesellschaften becomes "<tfahcsllesegneitka". That needs no list of words to split it with. Undefined
 * if the word is too short. No word of the analyser begins with the sign.
 */
export function compoundMark(word: string): string | undefined {
  const stem = stemOf(word);
  return stem.length >= leastLetters && /^\p{Ll}+$/u.test(stem) ? reversed(stem) : undefined;
}

/** What the marks of compounds begin with that end in this word: gesellschaft. */
export function compoundTail(word: string): string | undefined {
  const stem = stemOf(word);
  return stem.length >= leastTyped && /^\p{Ll}+$/u.test(stem) ? reversed(stem) : undefined;
}

function stemOf(word: string): string {
  return foldAccents(latinLanguages.de.stem(word));
}

function reversed(stem: string): string {
  return `<${[...stem].reverse().join("")}`;
}
