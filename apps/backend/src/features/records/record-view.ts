import { encodeId } from "@svc/protocol/typed-id";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { Collection, CollectionPlace, Field } from "../collections/collections.ts";
import type { Value, Values } from "./record-value.ts";
import { findPeople, type PersonKind, type RecordRow, readableTitles } from "./records-store.ts";

const Reference = z.object({ id: z.string(), title: z.string().optional(), name: z.string().optional() });
const ShownValue = z.union([z.string(), z.number(), z.boolean(), Reference]);
type ShownValue = z.output<typeof ShownValue>;

/** A record as callers see it. */
export const RecordView = z.object({
  id: z.string(),
  title: z.string(),
  fields: z
    .record(z.string(), ShownValue)
    .describe("Values by field name, without empty ones; a link is { id, title }, a person { id, name }"),
  updatedAt: z.iso.datetime(),
});
export type RecordView = z.output<typeof RecordView>;

export function recordId({ id }: { id: string }): string {
  return encodeId("record", id);
}

type Titles = ReadonlyMap<string, string>;
type People = ReadonlyMap<string, { kind: PersonKind; name: string }>;

/** What the values of some records refer to, as far as the caller can see it. */
export class Referents {
  readonly #titles: Titles;
  readonly #people: People;

  static async of(
    { transaction }: CommandContext,
    { collection, rights }: CollectionPlace,
    rows: readonly { fields: Values }[],
  ): Promise<Referents> {
    const idsOf = (type: Field["type"]) =>
      collection.fields
        .filter((field) => field.type === type)
        .flatMap(({ key }) => rows.flatMap(({ fields }) => fields[key] ?? []))
        .map(String);
    return new Referents(
      await readableTitles(transaction, rights.readable, idsOf("link")),
      await findPeople(transaction, idsOf("person")),
    );
  }

  private constructor(titles: Titles, people: People) {
    this.#titles = titles;
    this.#people = people;
  }

  /** A record that the caller cannot read, or that is gone, shows only its id. */
  show(field: Field, value: Value): ShownValue | undefined {
    if (value === null) return undefined;
    if (field.type === "link") {
      const title = this.#titles.get(String(value));
      return { id: encodeId("record", String(value)), ...(title === undefined ? {} : { title }) };
    }
    if (field.type === "person") {
      const person = this.#people.get(String(value));
      return {
        id: encodeId(person?.kind ?? "user", String(value)),
        ...(person === undefined ? {} : { name: person.name }),
      };
    }
    return value;
  }

  showAll({ fields }: Collection, values: Values): Record<string, ShownValue> {
    return Object.fromEntries(
      fields.flatMap((field) => {
        const shown = this.show(field, values[field.key] ?? null);
        return shown === undefined ? [] : [[field.name, shown]];
      }),
    );
  }
}

export async function recordViews<Row extends RecordRow>(
  context: CommandContext,
  place: CollectionPlace,
  rows: readonly Row[],
): Promise<(row: Row) => RecordView> {
  const referents = await Referents.of(context, place, rows);
  return (row) => ({
    id: recordId(row),
    title: row.title,
    fields: referents.showAll(place.collection, row.fields),
    updatedAt: row.updatedAt.toISOString(),
  });
}

/** A title may have several lines; in a line of ours it has one. */
export function titleLine({ title }: { title: string }, untitled: string): string {
  return toTerminalLine(title) || untitled;
}

/** For one line or its right side: a name is easier to read than an id. */
export function valueText(value: ShownValue): string {
  return typeof value === "object" ? value.title || value.name || value.id : String(value);
}

const longestBrief = 200;

/** For previews, the audit log and the first rows of an import, which describe a change and do not store it. */
export function brief(text: string): string {
  return text.length > longestBrief ? `${cut(text, longestBrief)}…` : text;
}

export function briefly(fields: RecordView["fields"]): RecordView["fields"] {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === "string" ? brief(value) : value]),
  );
}

/** Never within a character. */
function cut(text: string, characters: number): string {
  return [...text.slice(0, 2 * characters)].slice(0, characters).join("");
}

const longestSummary = 120;

export function summarize(fields: RecordView["fields"]): string {
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}: ${toTerminalLine(valueText(value))}`)
    .join(", ");
  return text.length > longestSummary ? `${cut(text, longestSummary)}…` : text;
}
