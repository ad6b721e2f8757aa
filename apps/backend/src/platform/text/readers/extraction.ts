export const outcomes = [
  "ok",
  /** Read to its end without meeting a word: an empty file, a scan. */
  "empty",
  "encrypted",
  /** Larger than its reader may hold, or unpacks to more than it may unpack to. */
  "too_large",
  "timeout",
  /** Of a format we read, but damaged or hostile: its reader gave up or died. */
  "crash",
  "unsupported",
  /** The text has more than we keep. */
  "truncated",
  /** No reader could be started: that says nothing about the document. */
  "failed",
] as const;

export type Outcome = (typeof outcomes)[number];

/** Outcomes that may be the fault of a busy machine: the document is worth reading again. */
export const passingOutcomes: readonly Outcome[] = ["timeout", "failed"];

export interface Extraction {
  outcome: Outcome;
  /** What was read, also where the reading ended early. Holds no NUL and no half of a surrogate pair. */
  text: string;
  mediaType: string;
}

/** Formats that need a parser, and so a process of their own. */
export type ParsedFormat = "pdf" | "archive" | "html" | "mail" | "rtf";
