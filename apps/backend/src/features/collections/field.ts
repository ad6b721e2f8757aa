import { hasStackedMarks } from "@svc/command-router/arguments/has-stacked-marks";
import { suggest } from "@svc/command-router/arguments/suggest";
import { z } from "zod";

export const fieldTypes = ["text", "number", "date", "boolean", "choice", "link", "person"] as const;

/** As it is stored. The key is what records keep their values under; only the name is ever shown. */
export const Field = z.object({
  key: z.string(),
  name: z.string(),
  type: z.enum(fieldTypes),
  required: z.boolean(),
  /** Of a choice, in the order given. */
  choices: z.array(z.string()).optional(),
  /** Of a link: the collection whose records it may name. */
  target: z.string().optional(),
});
export type Field = z.output<typeof Field>;

/** A field as it was typed; `target` is still what the caller called the collection. */
export type TypedField = Omit<Field, "key">;

/** What records have beside their fields, under names that a field therefore cannot have. */
const reservedNames = ["id", "body", "createdAt", "updatedAt"] as const;

/** No sign of an operator, so that `name>=value` can be read one way only; no dash in front, which means "downwards". */
const namePattern = /^[\p{Letter}\p{Number}][\p{Letter}\p{Mark}\p{Number} _./()-]*$/u;
const longestName = 60;
const longestChoice = 100;
const mostChoices = 200;
export const mostFields = 100;

/** Why somebody's definition of a field will not do. */
export class WrongField extends Error {}

/** `name:type`, `name!:type` where it is required, `status:choice:lead,lost`, `account:link:companies`. */
export function parseField(typed: string): TypedField {
  const [named = "", type = "", ...rest] = typed.split(":");
  const options = rest.join(":").trim();
  const required = named.trimEnd().endsWith("!");
  const name = parseFieldName(required ? named.trimEnd().slice(0, -1) : named);
  if (!isFieldType(type)) {
    const meant = suggest(type, fieldTypes);
    throw new WrongField(
      `${name} needs a type (${fieldTypes.join(", ")})${meant ? `; did you mean ${meant}?` : ""}`,
    );
  }
  if (type === "choice") return { name, type, required, choices: parseChoices(options) };
  if (type === "link") {
    if (options === "")
      throw new WrongField(`${name} needs the collection it links to: ${name}:link:<collection>`);
    return { name, type, required, target: options };
  }
  if (options !== "") throw new WrongField(`a field of type ${type} takes nothing after it`);
  return { name, type, required };
}

export function parseFieldName(typed: string): string {
  const name = typed.trim().normalize("NFC");
  if (name.length > longestName) throw new WrongField(`a name has at most ${longestName} characters`);
  if (!namePattern.test(name)) {
    throw new WrongField(
      "a name begins with a letter or digit, and has letters, digits, spaces and _ . / ( ) -",
    );
  }
  if (reservedNames.some((reserved) => sameName(reserved, name))) {
    throw new WrongField(`every record has \`${name}\` already`);
  }
  return name;
}

export function parseChoices(typed: string): string[] {
  const choices = typed.split(",").map((choice) => choice.trim().normalize("NFC"));
  if (choices.some((choice) => choice === ""))
    throw new WrongField("choices are separated by commas, none empty");
  if (new Set(choices).size < choices.length) throw new WrongField("a choice stands there twice");
  if (choices.length > mostChoices) throw new WrongField(`there are at most ${mostChoices} choices`);
  if (choices.some((choice) => choice.length > longestChoice || /\p{Control}/u.test(choice))) {
    throw new WrongField(`a choice has at most ${longestChoice} characters, and no control characters`);
  }
  return choices;
}

function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

export function findField(fields: readonly Field[], name: string): Field | undefined {
  if (hasStackedMarks(name)) return undefined;
  const wanted = name.trim().normalize("NFC");
  return fields.find((field) => sameName(field.name, wanted));
}

/** For messages: what is there instead of a field that is not. */
export function unknownField(fields: readonly Pick<Field, "name">[], name: string): string {
  const meant = suggest(
    name,
    fields.map((field) => field.name),
  );
  return meant === undefined
    ? "there is no such field"
    : `there is no such field; did you mean \`${meant}\`?`;
}

function isFieldType(type: string): type is Field["type"] {
  return fieldTypes.some((known) => known === type);
}
