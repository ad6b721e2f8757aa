import { ProblemError } from "@svc/protocol/problem";
import { toTerminalText } from "@svc/rendering/terminal-text";
import { stringify } from "csv-stringify/sync";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { Collection, CollectionPlace } from "../collections/collections.ts";
import { withoutFormula } from "./no-formula.ts";
import type { Format } from "./read-drafts.ts";
import type { RecordQuery } from "./record-query.ts";
import { Referents, recordId } from "./record-view.ts";
import { listWholeRecords, measureRecords, type WholeRecord } from "./records-store.ts";

const mostRows = 50_000;
const mostBytes = 32 * 1024 ** 2;

/**
 * The records as a file that `records import` reads to the same values. The answer is one text, so they are measured
 * first. Paging was tried: with a custom order, each page sorts all records again (7 s for 50,000 rows, not 1).
 */
export async function exportRecords(
  context: CommandContext,
  place: CollectionPlace,
  { listing }: RecordQuery,
  format: Format,
): Promise<{ count: number; content: string }> {
  const { collection } = place;
  const asked = { ...listing, trashed: false };
  const { count, bytes } = await measureRecords(context.transaction, asked);
  if (count > mostRows || bytes > mostBytes) {
    throw new ProblemError(
      "too_large",
      `An export can have at most ${mostRows} records and ${mostBytes / 1024 ** 2} MB; this one has ${count} records.`,
      { hint: "Export parts of it with --filter." },
    );
  }
  const rows = await listWholeRecords(context.transaction, { ...asked, limit: mostRows });
  const referents = await Referents.of(context, place, rows);
  const names = [...collection.fields.map(({ name }) => name), "body"];
  const lines = rows.map((row) => {
    const cells = cellsOf(collection, row, referents);
    return format === "csv" ? requirePrintable(row, csvLine(cells)) : jsonLine(names, cells);
  });
  const header = format === "csv" ? csvLine(names) : "";
  return { count: rows.length, content: header + lines.join("") };
}

type Cell = string | number | boolean;

/** Links and people by their ids, which survive renames; the body comes last. */
function cellsOf({ fields }: Collection, row: WholeRecord, referents: Referents): Cell[] {
  const cells = fields.map((field): Cell => {
    const shown = referents.show(field, row.fields[field.key] ?? null) ?? "";
    return typeof shown === "object" ? shown.id : shown;
  });
  return [...cells, row.body];
}

/** Whatever is not a number or a yes or no is text that somebody else wrote, and is opened in a spreadsheet. */
function csvLine(cells: readonly Cell[]): string {
  return stringify([cells.map((cell) => (typeof cell === "string" ? withoutFormula(cell) : String(cell)))]);
}

/**
 * The answer is text for a terminal, which shows invisible characters as \u{…}. JSON can escape them so that they are
 * read back; CSV cannot, and a file that differs from the record is worse than none.
 */
function requirePrintable(row: WholeRecord, line: string): string {
  if (toTerminalText(line) === line) return line;
  throw new ProblemError(
    "conflict",
    `${recordId(row)} contains invisible characters, which CSV cannot represent.`,
    {
      hint: "Export with --as jsonl, which writes them as escapes.",
    },
  );
}

const invisible =
  /[[\p{Control}\p{Surrogate}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\p{Variation_Selector}]]/gv;

/** Leaves out empty values. */
function jsonLine(names: readonly string[], cells: readonly Cell[]): string {
  const row = Object.fromEntries(
    names.flatMap((name, index) => (cells[index] === "" ? [] : [[name, cells[index]]])),
  );
  return `${JSON.stringify(row).replace(invisible, escapeUnits)}\n`;
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }).join("");
}
