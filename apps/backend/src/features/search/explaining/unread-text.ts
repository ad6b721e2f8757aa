import { type Reading, retryNote } from "../../../platform/text/retry-note.ts";

const reasons: Readonly<Record<string, string>> = {
  encrypted: "Its text is encrypted: put it without its password.",
  empty: "No text was found in it; a scan has none.",
  too_large: "It is too large for its text to be read.",
  timeout: "Reading its text took too long.",
  crash: "Its text could not be read.",
  unsupported: "Texts of its format are not read.",
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
