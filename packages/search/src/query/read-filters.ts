import { normaliseWord } from "../analyser/normalise-word.ts";
import { type Ignored, unknownDay, unknownType, withoutWord } from "./ignored.ts";
import type { Operator } from "./operators.ts";
import type { QueryPhrase } from "./query-phrase.ts";
import type { QueryWord } from "./query-word.ts";
import { wordsInName } from "./query-words.ts";
import { type QueryClock, readDay } from "./read-day.ts";
import type { TypedPiece } from "./split-query.ts";
import { isKnownType } from "./type-families.ts";

/** Operators with their values. Values of one operator are alternatives; what is excluded is excluded by each. */
export interface QueryFilters {
  types: string[];
  excludedTypes: string[];
  in: string[];
  notIn: string[];
  extensions: string[];
  excludedExtensions: string[];
  owners: string[];
  notOwners: string[];
  /** Changed from this time on, and before that. */
  from?: Date;
  before?: Date;
  /** Texts of tsqueries that the name matches one of, or none of. */
  titles: string[];
  excludedTitles: string[];
  /** Words of which a path has all, of one of these. */
  paths: QueryWord[][];
  excludedPaths: QueryWord[][];
}

export interface ReadFilters {
  filters: QueryFilters;
  ignored: Ignored[];
  isCut: boolean;
}

/** Each is looked up. */
const mostValues = 50;
/** Of `title:` and `path:`: a folder is looked for by each word, in every workspace. */
const mostWordsOfValue = 16;
const mostWordsOfPaths = 50;

/** The words of a piece, and its phrase, in the languages of the query. */
interface PieceReaders {
  wordsOf: (piece: TypedPiece) => QueryWord[];
  phraseOf: (piece: TypedPiece) => QueryPhrase;
}

export function readFilters(
  pieces: readonly TypedPiece[],
  clock: QueryClock,
  { wordsOf, phraseOf }: PieceReaders,
): ReadFilters {
  const ignored: Ignored[] = [];
  let isCut = false;
  const valuesOf = <T>(
    operator: Operator,
    isExcluded: boolean,
    read: (piece: TypedPiece) => T | undefined,
    problem: (piece: TypedPiece) => Ignored = withoutWord,
  ): T[] => {
    const found = pieces.filter((piece) => piece.filter === operator && piece.isExcluded === isExcluded);
    isCut ||= found.length > mostValues;
    return found.slice(0, mostValues).flatMap((piece) => {
      const value = read(piece);
      if (value === undefined) ignored.push(problem(piece));
      return value === undefined ? [] : [value];
    });
  };
  const ending = ({ text }: TypedPiece) => normaliseWord(text).replace(/^\./u, "");
  const typeOf = (piece: TypedPiece) => (isKnownType(ending(piece)) ? ending(piece) : undefined);
  const textOf = ({ text }: TypedPiece) => text;
  const dayOf = ({ text }: TypedPiece) => readDay(text, clock);
  const someWordsOf = (piece: TypedPiece, most: number) => {
    const words = new Map(wordsOf(piece).map((word) => [JSON.stringify(word), word]));
    isCut ||= words.size > most;
    return [...words.values()].slice(0, most);
  };
  const titleOf = (piece: TypedPiece) => {
    const words = someWordsOf(piece, mostWordsOfValue);
    const isPhrase = piece.isQuoted && words.length < mostWordsOfValue;
    return wordsInName(isPhrase ? phraseOf(piece) : undefined, words) ?? undefined;
  };
  let room = mostWordsOfPaths;
  const pathOf = (piece: TypedPiece) => {
    const words = someWordsOf(piece, Math.min(room, mostWordsOfValue));
    room -= words.length;
    return words.length > 0 ? words : undefined;
  };
  const from = latest(
    earliest(valuesOf("after", false, dayOf, unknownDay)),
    ...valuesOf("before", true, dayOf, unknownDay),
  );
  const before = earliest(
    [
      latest(undefined, ...valuesOf("before", false, dayOf, unknownDay)),
      ...valuesOf("after", true, dayOf, unknownDay),
    ].filter((day) => day !== undefined),
  );
  const filters: QueryFilters = {
    types: valuesOf("type", false, typeOf, unknownType),
    excludedTypes: valuesOf("type", true, typeOf, unknownType),
    in: valuesOf("in", false, textOf),
    notIn: valuesOf("in", true, textOf),
    extensions: valuesOf("ext", false, (piece) => ending(piece) || undefined),
    excludedExtensions: valuesOf("ext", true, (piece) => ending(piece) || undefined),
    owners: valuesOf("owner", false, textOf),
    notOwners: valuesOf("owner", true, textOf),
    ...(from && { from }),
    ...(before && { before }),
    titles: valuesOf("title", false, titleOf),
    excludedTitles: valuesOf("title", true, titleOf),
    paths: valuesOf("path", false, pathOf),
    excludedPaths: valuesOf("path", true, pathOf),
  };
  return { filters, ignored, isCut };
}

/** Whether any of them can find or exclude something. */
export function hasFilters(filters: QueryFilters): boolean {
  return Object.values(filters).some((value) => !Array.isArray(value) || value.length > 0);
}

function earliest(days: readonly Date[]): Date | undefined {
  return days.length === 0 ? undefined : new Date(Math.min(...days.map((day) => day.getTime())));
}

function latest(first: Date | undefined, ...days: Date[]): Date | undefined {
  const all = first ? [first, ...days] : days;
  return all.length === 0 ? undefined : new Date(Math.max(...all.map((day) => day.getTime())));
}
