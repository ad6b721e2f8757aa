import { ProblemError } from "@svc/protocol/problem";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { requirePrincipal } from "../access/access.ts";
import type { Collection, CollectionPlace, Field } from "../collections/collections.ts";
import { readText, readValue, type Value, type Values, WrongValue } from "./record-value.ts";
import { type NewRecord, readableTitles } from "./records-store.ts";

/** A record in the making, as far as it was read. `null` clears a value. */
export interface Draft {
  values: Map<Field, Value>;
  body?: string;
  problems: { field: string; message: string }[];
}

const longestBody = 1_000_000;
/** Limit of all stored values of a record together. */
const largestRecord = 200_000;

export function emptyDraft(): Draft {
  return { values: new Map(), problems: [] };
}

export function draftValue(draft: Draft, field: Field, text: string): void {
  const value = readValue(field, text);
  if (value instanceof WrongValue) draft.problems.push({ field: field.name, message: value.message });
  else if (value === null && field.required)
    draft.problems.push({ field: field.name, message: "is required" });
  else draft.values.set(field, value);
}

export function draftBody(draft: Draft, text: string): void {
  const body = readText(text, longestBody);
  if (body instanceof WrongValue) draft.problems.push({ field: "body", message: body.message });
  else draft.body = body;
}

/** For a new record: absent values are missing. */
export function requireComplete(draft: Draft, required: readonly Field[]): void {
  for (const field of required) {
    if (draft.values.has(field) || draft.problems.some((problem) => problem.field === field.name)) continue;
    draft.problems.push({ field: field.name, message: "is required" });
  }
}

/** The resulting record, merged over the previous one. */
export function applyDraft(
  { fields, titleField }: Collection,
  draft: Draft,
  before: Pick<NewRecord, "fields" | "body"> = { fields: {}, body: "" },
): NewRecord {
  const values: Values = { ...before.fields };
  for (const [{ key }, value] of draft.values) {
    if (value === null) delete values[key];
    else values[key] = value;
  }
  if (JSON.stringify(values).length > largestRecord) {
    draft.problems.push({
      field: fields[0]?.name ?? "body",
      message: `the values have more than ${largestRecord} characters in total; put long text into the body`,
    });
  }
  return { title: String(values[titleField] ?? ""), fields: values, body: draft.body ?? before.body };
}

/**
 * Looks up the people and records that drafts refer to, many at once. A link must lead to an existing record that the
 * caller can read; others are answered as if they did not exist.
 */
export class References {
  readonly #context: CommandContext;
  readonly #place: CollectionPlace;
  readonly #people = new Map<string, string | WrongValue>();

  constructor(context: CommandContext, place: CollectionPlace) {
    this.#context = context;
    this.#place = place;
  }

  async resolve(drafts: readonly Draft[]): Promise<void> {
    for (const field of this.#place.collection.fields) {
      if (field.type === "link") await this.#resolveLinks(field, drafts);
      if (field.type === "person") await this.#resolvePeople(field, drafts);
    }
  }

  async #resolveLinks(field: Field, drafts: readonly Draft[]): Promise<void> {
    const ids = new Set(drafts.flatMap(({ values }) => values.get(field) ?? []).map(String));
    const { transaction } = this.#context;
    const { readable } = this.#place.rights;
    const titles = await readableTitles(transaction, readable, [...ids], field.target);
    for (const draft of drafts) {
      const id = draft.values.get(field) ?? null;
      if (id === null || titles.has(String(id))) continue;
      refuse(draft, field, "does not lead to a record that you can see there");
    }
  }

  async #resolvePeople(field: Field, drafts: readonly Draft[]): Promise<void> {
    for (const draft of drafts) {
      const typed = draft.values.get(field) ?? null;
      if (typed === null) continue;
      const found = await this.#person(String(typed));
      if (found instanceof WrongValue) refuse(draft, field, found.message);
      else draft.values.set(field, found);
    }
  }

  async #person(typed: string): Promise<string | WrongValue> {
    const foundBefore = this.#people.get(typed);
    if (foundBefore !== undefined) return foundBefore;
    const found = await lookUp(this.#context, typed);
    // Bounded: an import may name very many people who do not exist.
    if (this.#people.size < 10_000) this.#people.set(typed, found);
    return found;
  }
}

export async function lookUp(context: CommandContext, typed: string): Promise<string | WrongValue> {
  try {
    return (await requirePrincipal(context, typed)).id;
  } catch (error) {
    if (error instanceof ProblemError && error.code === "not_found")
      return new WrongValue("matches nobody you know");
    if (error instanceof ProblemError && error.code === "conflict") {
      return new WrongValue("matches more than one person; use the id instead");
    }
    throw error;
  }
}

function refuse(draft: Draft, field: Field, message: string): void {
  draft.values.delete(field);
  draft.problems.push({ field: field.name, message });
}
