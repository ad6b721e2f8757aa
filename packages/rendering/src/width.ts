import truncatedWidth from "fast-string-truncated-width";
import stringWidth from "fast-string-width";

const plain = /^[ -~]*$/;

/** In the cells of a terminal. */
export function widthOf(text: string): number {
  return plain.test(text) ? text.length : stringWidth(text);
}

/** How much of a text fits, in its own characters: at least one, however narrow it is. */
export function fittingLength(text: string, cells: number): number {
  const { index } = truncatedWidth(text, { limit: cells });
  return Math.max(index, text.codePointAt(0) === text.charCodeAt(0) ? 1 : 2);
}

/** At most so many cells; a cut ends with `…`. */
export function cutTo(text: string, cells: number): string {
  return widthOf(text) <= cells ? text : `${text.slice(0, fittingLength(text, cells - 1))}…`;
}
