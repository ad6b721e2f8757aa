export const outcomes = [
  "ok",
  /** Read to the end without finding a word: an empty file, a scan. */
  "empty",
  "encrypted",
  /** Too large for its reader, or unpacks to more than allowed. */
  "too_large",
  "timeout",
  /** A format that we read, but damaged or hostile: its reader gave up or died. */
  "crash",
  "unsupported",
  /** The text is longer than we store. */
  "truncated",
  /** No reader could be started, which says nothing about the document. */
  "failed",
] as const;

export type Outcome = (typeof outcomes)[number];

/** Outcomes that a busy machine may have caused: the document is worth a retry. */
export const passingOutcomes: readonly Outcome[] = ["timeout", "failed"];

export interface Extraction {
  outcome: Outcome;
  /** What was read, even if reading ended early. Contains no NUL and no half of a surrogate pair. */
  text: string;
  mediaType: string;
}

/** Formats that need a parser, and therefore a separate process. */
export type ParsedFormat = "pdf" | "archive" | "html" | "mail" | "rtf";
