import type { Operator } from "./operators.ts";

/** One part of a query: a word, "a phrase", type:pdf, in:"/a folder", word*, each with or without a minus before it. */
export interface TypedPiece {
  text: string;
  /** The whole part as typed, with its signs. */
  typed: string;
  isQuoted: boolean;
  isExcluded: boolean;
  filter?: Operator;
  /** It may be unfinished: somebody is typing and the text ends within it, or it ends with a star. */
  isOpen: boolean;
}

/** Keyboards and word processors replace ". An unclosed quote extends to the end. */
const piece =
  /(?<![^\s])(?<minus>[-−]*)(?:(?<filter>type|in|title|path|ext|owner|before|after):)?(?:["“”„«](?<quoted>[^"“”„«»]*)(?:["“”»]|$)|(?<plain>[^\s"“”„«»]+))|(?<rest>[^\s"“”„«»]+)/giu;

/** Never fails: anything that is not an operator is a word. */
export function splitQuery(text: string, { isTyping = false } = {}): TypedPiece[] {
  const pieces: TypedPiece[] = [];
  for (const found of text.matchAll(piece)) {
    const { minus = "", filter, quoted, plain = "", rest } = found.groups ?? {};
    const written = rest ?? quoted ?? plain;
    // Other values have no star: no file name ends in `.doc*`.
    const takesStar = filter === undefined || /^(?:title|path)$/iu.test(filter);
    const isStarred = takesStar && quoted === undefined && /^[^*]*[\p{L}\p{M}\p{N}]\*$/u.test(written);
    pieces.push({
      text: isStarred ? written.slice(0, -1) : written,
      typed: found[0],
      isQuoted: quoted !== undefined,
      isExcluded: minus !== "",
      ...(filter && { filter: filter.toLowerCase() as Operator }),
      isOpen:
        isStarred || (isTyping && quoted === undefined && found.index + found[0].length === text.length),
    });
  }
  return pieces.filter(({ text }) => text !== "");
}
