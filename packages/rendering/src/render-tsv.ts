import type { Column } from "@svc/protocol/exchange";
import { toTerminalText } from "@svc/rendering/terminal-text";

const escapes: Record<string, string> = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\" };

/** One line per row and no header, for `cut` and `awk`: tab, newline and backslash within a value are escaped. */
export function toTsv(rows: readonly Record<string, unknown>[], columns: readonly Column[]): string {
  return rows.map((row) => columns.map(({ field }) => toValue(row[field])).join("\t")).join("\n");
}

function toValue(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return toTerminalText(text.replace(/[\t\n\r\\]/g, (character) => escapes[character] ?? ""));
}
