import { tokenBound } from "../token-bound.ts";

/** No language has words this long: from here on BERT's own tokeniser calls a word one unknown token. */
const longWord = /[^\s\p{P}\p{S}\p{Script=Han}]{100,}/gu;

/** For a server with its own tokeniser: llama-server makes 50,002 tokens of a word that counts as one here. */
export function countWithTokenizer(text: string, encode: (text: string) => number[]): number {
  // Decomposed, because that is how the tokeniser counts characters: a Korean syllable is three.
  const apart = text.normalize("NFKD");
  const longWords = apart.match(longWord) ?? [];
  if (longWords.length === 0) return encode(text).length;
  const rest = encode(apart.replace(longWord, " ")).length;
  return longWords.reduce((sum, word) => sum + tokenBound(word), rest);
}
