import { randomUUID } from "node:crypto";
import { echo } from "@svc/command-router/arguments/usage-error";
import { ProblemError, type Violation } from "@svc/protocol/problem";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { StagedFile } from "../../platform/uploads/staged-file.ts";
import type { CollectionPlace } from "../collections/collections.ts";
import { BrokenFile, type DraftLine, type Format, readDrafts } from "./read-drafts.ts";
import { applyDraft, References, requireComplete } from "./record-draft.ts";
import { brief, briefly, Referents } from "./record-view.ts";
import { recordChanged } from "./records.ts";
import { insertRecords, type NewRecord } from "./records-store.ts";

/**
 * Rows per statement. For 100,000 small rows, 100 took a tenth longer and 2,000 a tenth less; large rows reach the size
 * limit sooner.
 */
const batchRows = 500;
const batchCharacters = 4_000_000;
const shownRows = 5;
const shownErrors = 100;
/** Keeps an import well within the time limit of one command. */
const mostRows = 200_000;

export interface Imported {
  importId: string;
  count: number;
  first: { title: string; fields: Record<string, unknown> }[];
}

/** Imports all rows of a file or none. Checks every row, even after the first mistake. */
export async function importRecords(
  context: CommandContext,
  place: CollectionPlace,
  file: StagedFile,
  format: Format,
): Promise<Imported> {
  const { collection } = place;
  const importId = randomUUID();
  const required = collection.fields.filter((field) => field.required);
  const references = new References(context, place);
  const errors = new LineErrors();
  const first: NewRecord[] = [];
  let count = 0;

  try {
    for await (const batch of inBatches(readDrafts(collection, format, file.read()))) {
      context.signal.throwIfAborted();
      await take(batch);
      if (count > mostRows) {
        throw new ProblemError("too_large", `An import can have at most ${mostRows} rows.`, {
          hint: "Split the file and import the parts.",
        });
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    errors.add(error.line, error.field, error.message);
  }
  errors.throwIfAny();
  const referents = await Referents.of(context, place, first);
  const shown = first.map(({ title, fields }) => ({
    title: brief(title),
    fields: briefly(referents.showAll(collection, fields)),
  }));
  return { importId, count, first: shown };

  async function take(batch: readonly DraftLine[]): Promise<void> {
    for (const { draft } of batch) requireComplete(draft, required);
    await references.resolve(batch.map(({ draft }) => draft));
    const records = batch.map(({ draft }) => applyDraft(collection, draft));
    for (const { line, draft } of batch) {
      for (const { field, message } of draft.problems) errors.add(line, field, message);
    }
    first.push(...records.slice(0, shownRows - first.length));
    count += batch.length;
    context.progress({ label: "Importing", done: count, unit: "rows" });
    // After a mistake, rows are only checked, to report all mistakes.
    if (errors.count > 0) return;
    for (const id of await insertRecords(context.transaction, collection.id, records, importId)) {
      await recordChanged(context, "CREATED", place, id);
    }
  }
}

/** If the rows break off, the rows before come first. */
async function* inBatches(rows: AsyncIterable<DraftLine>): AsyncGenerator<DraftLine[]> {
  let batch: DraftLine[] = [];
  let characters = 0;
  try {
    for await (const row of rows) {
      batch.push(row);
      characters += row.characters;
      if (batch.length < batchRows && characters < batchCharacters) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
  } catch (error) {
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}

class LineErrors {
  readonly #told: Violation[] = [];
  count = 0;

  add(line: number | undefined, field: string | undefined, message: string): void {
    this.count += 1;
    if (this.#told.length >= shownErrors) return;
    const where = line === undefined ? "file" : `line ${line}`;
    this.#told.push({ argument: field === undefined ? where : `${where}, ${echo(field)}`, message });
  }

  throwIfAny(): void {
    if (this.count === 0) return;
    const told = this.#told.map(({ argument, message }) => `${argument}: ${message}`);
    const untold = this.count - told.length;
    const lines = [`Nothing was imported; ${this.count} errors found:`, ...told];
    if (untold > 0) lines.push(`and ${untold} more`);
    throw new ProblemError("invalid_arguments", lines.join("\n"), {
      hint: "Correct the file and import it again; --dry-run checks it without importing.",
      violations: this.#told,
    });
  }
}
