import { latinLanguages } from "../analyser/latin-languages.ts";
import { normaliseWord } from "../analyser/normalise-word.ts";
import type { ParsedQuery } from "./parse-query.ts";
import { splitQuery, type TypedPiece } from "./split-query.ts";

/** Why a query is better answered by words alone. */
type WordsAlone = "quoted" | "unfinished" | "literal";

/**
 * Codes, numbers, dates and addresses mean nothing to a model: for ten codes the nearest file had a cosine of 0.23 on
 * average. A quoted phrase asks for exactly these words, and an unfinished word is not a word yet.
 */
export function wordsAlone(
  query: string,
  { phrases }: Pick<ParsedQuery, "phrases">,
  { isTyping }: { isTyping: boolean },
): WordsAlone | undefined {
  if (phrases.length > 0) return "quoted";
  const pieces = splitQuery(query, { isTyping }).filter(({ filter, isExcluded }) => !filter && !isExcluded);
  if (pieces.some(({ isOpen }) => isOpen)) return "unfinished";
  return isAllLiteral(pieces) ? "literal" : undefined;
}

/** Has a digit, or a sign that joins letters to an address, a path or an identifier: a@b, a/b, a_b, a.b, a:b. */
function isLiteral({ text }: TypedPiece): boolean {
  return /\p{N}|[\p{L}\p{M}][@/\\_.:][\p{L}\p{M}]|^[/\\#@.]/u.test(text);
}

/** Beside literals the name of a month is part of a date: 26 March 2026, März 2026. */
function isAllLiteral(pieces: readonly TypedPiece[]): boolean {
  const isMonth = ({ text }: TypedPiece) => months.has(normaliseWord(text).replace(/[.,]$/u, ""));
  return pieces.some(isLiteral) && pieces.every((piece) => isLiteral(piece) || isMonth(piece));
}

const months = new Set(["en", ...Object.keys(latinLanguages)].flatMap(monthsIn));

function monthsIn(language: string): string[] {
  return (["long", "short"] as const).flatMap((month) => {
    const format = new Intl.DateTimeFormat(language, { month, timeZone: "UTC" });
    return Array.from({ length: 12 }, (_, index) =>
      normaliseWord(format.format(Date.UTC(2026, index, 1))).replace(/\.$/u, ""),
    );
  });
}
