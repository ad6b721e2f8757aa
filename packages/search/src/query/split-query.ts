/** One part of a query: a word, "a phrase", type:pdf, in:"/a folder", each with or without a minus before it. */
export interface TypedPiece {
  text: string;
  isQuoted: boolean;
  isExcluded: boolean;
  filter?: "type" | "in";
  /** It may be unfinished: somebody is typing, and the text ends within it. */
  isOpen: boolean;
}

/** Keyboards and word processors replace ". An unclosed quote extends to the end. */
const piece =
  /(?<![^\s])(?<minus>[-−]*)(?:(?<filter>type|in):)?(?:["“”„«](?<quoted>[^"“”„«»]*)(?:["“”»]|$)|(?<plain>[^\s"“”„«»]+))|(?<rest>[^\s"“”„«»]+)/giu;

/** Never fails: anything that is not an operator is a word. */
export function splitQuery(text: string, { isTyping = false } = {}): TypedPiece[] {
  const pieces: TypedPiece[] = [];
  for (const found of text.matchAll(piece)) {
    const { minus = "", filter, quoted, plain = "", rest } = found.groups ?? {};
    pieces.push({
      text: rest ?? quoted ?? plain,
      isQuoted: quoted !== undefined,
      isExcluded: minus !== "",
      ...(filter && { filter: filter.toLowerCase() === "type" ? "type" : "in" }),
      isOpen: isTyping && quoted === undefined && found.index + found[0].length === text.length,
    });
  }
  return pieces.filter(({ text }) => text !== "");
}
