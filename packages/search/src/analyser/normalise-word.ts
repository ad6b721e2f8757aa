import { withoutStackedMarks } from "@svc/unicode/stacked-marks";

const asciiLower = /^[a-z0-9]*$/;
const ascii = /^[a-zA-Z0-9]*$/;

/** NFKC and lower case; what is seen by nobody or only shapes a word goes: soft hyphens, joiners, tatweel, NUL, lone surrogates. */
export function normaliseWord(word: string): string {
  if (ascii.test(word)) return word.toLowerCase();
  // Composed once more: lower case takes İ apart, and what went may have stood between a letter and its mark.
  return withoutStackedMarks(word)
    .toWellFormed()
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\0\p{Cf}\u0640\ufffd]/gu, "")
    .normalize("NFKC");
}

/** Of Latin and Greek: é and e, ß and ss, ø and o are one. miracl_yo: 0.485 without, 0.66 with. */
export function foldAccents(word: string): string {
  if (asciiLower.test(word)) return word;
  return word
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .replace(/[ßæœøđłıþðς]/gu, (letter) => withoutDecomposition[letter] ?? letter);
}

/** Letters that Unicode does not take apart. */
const withoutDecomposition: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ł: "l",
  ı: "i",
  þ: "th",
  ð: "d",
  ς: "σ",
};
