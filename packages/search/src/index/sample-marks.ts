import { quoteLexeme } from "../analyser/to-tsvector.ts";

/** A document of this level has the mark: every second document has level 1, every fourth level 2, and so on. */
export function sampleMark(level: number): string {
  // No word of the analyser begins with the sign, so that no query meets a mark.
  return quoteLexeme(`~s${level}`);
}

/** Written beside the words of a text. The last digits of an id are random, so they draw the sample. */
export function sampleMarks(documentId: string): string[] {
  const digits = Number.parseInt(documentId.slice(-8), 16);
  const level = digits === 0 ? 32 : 31 - Math.clz32(digits & -digits);
  return Array.from({ length: level }, (_, index) => sampleMark(index + 1));
}
