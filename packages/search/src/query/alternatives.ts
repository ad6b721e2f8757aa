import type { Language } from "../analyser/latin-languages.ts";
import { type Ignored, misplacedOr } from "./ignored.ts";
import { phraseOf, type QueryPhrase } from "./query-phrase.ts";
import type { QueryWord } from "./query-word.ts";
import type { TypedPiece } from "./split-query.ts";

/** A query without its ORs. */
export interface JoinedPieces {
  pieces: TypedPiece[];
  /** Pieces of which a hit has at least one. */
  groups: TypedPiece[][];
  ignored: Ignored[];
}

/** At the beginning or the end OR is a word, or the abbreviation of a state. */
export function joinAlternatives(all: readonly TypedPiece[]): JoinedPieces {
  const joined: JoinedPieces = { pieces: [], groups: [], ignored: [] };
  let group: TypedPiece[] = [];
  for (const [index, piece] of all.entries()) {
    const [before, after] = [all[index - 1], all[index + 1]];
    if (!isOr(piece) || !before || !after) {
      joined.pieces.push(piece);
      if (isOr(before) && group.length > 0) group.push(piece);
      else group = [];
      continue;
    }
    if (isJoinable(before) && isJoinable(after)) {
      if (group.length === 0) {
        group = [before];
        joined.groups.push(group);
      }
      continue;
    }
    group = [];
    // Values of one operator are alternatives anyway.
    const isOfOne =
      before.filter && before.filter === after.filter && !before.isExcluded && !after.isExcluded;
    if (!isOfOne) joined.ignored.push(misplacedOr(piece));
  }
  return joined;
}

/** As one condition: any of these phrases. None if they have no word. */
export function phraseOfAny(group: readonly TypedPiece[], languages: readonly Language[]): QueryPhrase[] {
  const phrases = group.map((piece) => phraseOf(piece, languages));
  const [first, ...or] = phrases.filter(({ body, name }) => body.length + name.length > 0);
  return first ? [{ ...first, or }] : [];
}

/** As one word that ranks, of which the best form counts; or as they are, if they are more than words. */
export function wordsOfAny(words: readonly QueryWord[][]): QueryWord[] {
  const isSimple = words.every(([word, ...more]) => word && more.length === 0 && word.prefix === undefined);
  if (!isSimple) return words.flat();
  const each = words.flat();
  return [
    {
      body: [...new Set(each.flatMap(({ body }) => body))],
      name: each.flatMap(({ name }) => name),
      count: 1,
      isPart: false,
    },
  ];
}

function isOr(piece: TypedPiece | undefined): boolean {
  return piece?.text === "OR" && piece.typed === "OR";
}

function isJoinable(piece: TypedPiece): boolean {
  return !piece.filter && !piece.isExcluded && !isOr(piece);
}
