import { type Reading, retryNote } from "../../../platform/text/retry-note.ts";

const reasons: Readonly<Record<string, string>> = {
  encrypted: "Its text is encrypted. Upload it without a password.",
  empty: "It contains no text; a scan, for example, has none.",
  too_large: "It is too large to read its text.",
  timeout: "Reading its text took too long.",
  crash: "Its text could not be read.",
  unsupported: "Its format is not supported for text search.",
  truncated: "Only the beginning of its text was read.",
  failed: "The program that reads texts could not be started.",
};

/** Why a file has no text, or not all of it, and whether that may change. Undefined if all of it was read. */
export function unreadText(reading: Reading): string | undefined {
  const reason = reasons[reading.outcome];
  if (reason === undefined) return undefined;
  const note = retryNote(reading);
  return note === undefined ? reason : `${reason} ${note}`;
}
