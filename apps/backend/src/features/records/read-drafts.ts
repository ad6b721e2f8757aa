import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { CsvError, type Parser, parse } from "csv-parse";
import { type Collection, type Field, findField, unknownField } from "../collections/collections.ts";
import { withFormula } from "./no-formula.ts";
import { type Draft, draftBody, draftValue, emptyDraft } from "./record-draft.ts";

export const formats = ["csv", "jsonl"] as const;
export type Format = (typeof formats)[number];

/** One row of a file, and the line on which it begins. */
export interface DraftLine {
  line: number;
  /** Its size in the file. */
  characters: number;
  draft: Draft;
}

/** Why the rest of a file cannot be read. */
export class BrokenFile extends Error {
  /** Absent if it concerns the whole file. */
  readonly line: number | undefined;
  readonly field: string | undefined;

  constructor(line: number | undefined, message: string, field?: string) {
    super(message);
    this.line = line;
    this.field = field;
  }
}

/** Limit of one row, in characters: an unclosed quote would turn the rest of the file into one row. */
const longestRow = 2_000_000;
/** Limit of one row: an object may have a hundred thousand wrong fields. */
const mostProblems = 100;
/** Limit of one row: further ones only show that there are too many. */
const mostCells = 10_000;

/** Reads row by row as the file arrives, and never holds all of it in memory. */
export function readDrafts(
  collection: Collection,
  format: Format,
  content: Readable,
): AsyncGenerator<DraftLine> {
  return format === "csv" ? readCsv(collection, content) : readJsonLines(collection, content);
}

async function* readCsv(collection: Collection, content: Readable): AsyncGenerator<DraftLine> {
  const rows: { line: number; cells: string[] }[] = [];
  let lastLine = 0;
  // Rows are collected as they are parsed; reading them off the stream would drop some before an error.
  const parser = parse({
    // Any line ending, even mixed: people concatenate files from several systems.
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestRow,
    on_record: (all: string[], { lines }) => {
      const cells = all.slice(0, mostCells).map(withFormula);
      rows.push({ line: lines - newlines(cells), cells });
      lastLine = lines;
      return null;
    },
  }).resume();
  const ended = finished(parser);
  // Reported by the write that failed, or at the end.
  ended.catch(() => {});
  let columns: Column[] | undefined;

  try {
    for await (const piece of decode(content)) {
      if (piece !== "") await written(parser, piece);
      yield* drafts();
    }
    parser.end();
    await ended;
  } catch (error) {
    yield* drafts();
    throw error instanceof CsvError ? brokenCsv(error, lastLine + 1) : error;
  }
  yield* drafts();
  if (!columns) throw new BrokenFile(1, "the file is empty; its first line names the fields");

  function* drafts(): Generator<DraftLine> {
    for (const { line, cells } of rows.splice(0)) {
      const characters = cells.reduce((sum, cell) => sum + cell.length, 0);
      if (columns) yield { line, characters, draft: readCells(columns, cells) };
      else columns = readHeader(collection, cells);
    }
  }
}

function written(parser: Parser, piece: string): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}

type Column = Field | "body";

function readHeader({ fields }: Collection, names: readonly string[]): Column[] {
  const columns: Column[] = [];
  for (const name of names) {
    const column = columnNamed(fields, name);
    if (column === undefined) {
      const separated = names.length === 1 && /[;\t]/.test(name);
      const message = separated
        ? "the cells are not separated by commas"
        : unknownField([...fields, { name: "body" }], name);
      throw new BrokenFile(1, message, name);
    }
    if (columns.includes(column)) throw new BrokenFile(1, "appears twice", name);
    columns.push(column);
  }
  return columns;
}

function columnNamed(fields: readonly Field[], name: string): Column | undefined {
  return name.trim().toLowerCase() === "body" ? "body" : findField(fields, name);
}

function readCells(columns: readonly Column[], cells: readonly string[]): Draft {
  const draft = emptyDraft();
  const surplus = cells.slice(columns.length).some((cell) => cell !== "");
  if (cells.length < columns.length || surplus) {
    const message = `has ${cells.length} cells; the first line has ${columns.length}`;
    draft.problems.push({ field: "row", message });
    return draft;
  }
  columns.forEach((column, index) => {
    const cell = cells[index] ?? "";
    if (column === "body") draftBody(draft, cell);
    else draftValue(draft, column, cell);
  });
  return draft;
}

/** Line breaks inside quotes; the parser reports the line on which a row ends. */
function newlines(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) if (/[\r\n]/.test(cell)) count += cell.match(/\r\n|\r|\n/g)?.length ?? 0;
  return count;
}

/** A row that never ends is reported at its first line. */
function brokenCsv(error: CsvError, begin: number): BrokenFile {
  if (error.code === "CSV_MAX_RECORD_SIZE") {
    return new BrokenFile(begin, `a row has more than ${longestRow} characters; check for an unclosed quote`);
  }
  if (error.code === "CSV_QUOTE_NOT_CLOSED") return new BrokenFile(begin, "a quote is not closed");
  return new BrokenFile(begin, 'a quote is not allowed here; write "" for a quote inside quotes');
}

async function* readJsonLines(collection: Collection, content: Readable): AsyncGenerator<DraftLine> {
  let line = 0;
  let rest = "";
  for await (const piece of decode(content)) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      line += 1;
      if (text.trim() !== "") yield readLine(line, text);
    }
    if (rest.length > longestRow)
      throw new BrokenFile(line + 1, `a line has more than ${longestRow} characters`);
  }
  if (rest.trim() !== "") yield readLine(line + 1, rest);

  function readLine(at: number, text: string): DraftLine {
    return { line: at, characters: text.length, draft: readObject(collection, text) };
  }
}

function readObject({ fields }: Collection, text: string): Draft {
  const draft = emptyDraft();
  const row = parseJson(text);
  if (typeof row !== "object" || row === null || Array.isArray(row)) {
    draft.problems.push({ field: "row", message: "is not a JSON object" });
    return draft;
  }
  // Only names: for an object with 100,000 fields, pairs would block the event loop twice as long.
  for (const name of Object.keys(row)) {
    if (draft.problems.length >= mostProblems) break;
    const value = (row as Record<string, unknown>)[name];
    const column = columnNamed(fields, name);
    if (column === undefined) {
      draft.problems.push({ field: name, message: unknownField([...fields, { name: "body" }], name) });
    } else if (typeof value === "object" && value !== null) {
      draft.problems.push({ field: name, message: "is not a single value" });
    } else if (column === "body") draftBody(draft, String(value ?? ""));
    else if (draft.values.has(column)) draft.problems.push({ field: name, message: "appears twice" });
    else draftValue(draft, column, String(value ?? ""));
  }
  return draft;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Removes the byte order mark. Refuses anything but UTF-8, which would be stored as mojibake. */
async function* decode(content: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    throw new BrokenFile(undefined, "is not UTF-8; save the file as UTF-8");
  }
}
