import { withoutStackedMarks } from "@svc/unicode/stacked-marks";

const asciiLower = /^[a-z0-9]*$/;
const ascii = /^[a-zA-Z0-9]*$/;

/**
 * NFKC and lower case; removes characters that are invisible or only shape a word: soft hyphens, joiners, tatweel, NUL,
 * lone surrogates.
 */
export function normaliseWord(word: string): string {
  if (ascii.test(word)) return word.toLowerCase();
  // Composed once more: lower case decomposes İ, and a removed character may have separated a letter from its mark.
  return withoutStackedMarks(word)
    .toWellFormed()
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\0\p{Cf}\u0640\ufffd]/gu, "")
    .normalize("NFKC");
}

/** For Latin and Greek: é and e, ß and ss, ø and o are the same. miracl_yo: 0.485 without, 0.66 with. */
export function foldAccents(word: string): string {
  if (asciiLower.test(word)) return word;
  return word
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .replace(/[ßæœøđłıþðς]/gu, (letter) => withoutDecomposition[letter] ?? letter);
}

/** Letters that Unicode does not decompose. */
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
