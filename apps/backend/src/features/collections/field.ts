import { suggest } from "@svc/command-router/arguments/suggest";
import { hasStackedMarks } from "@svc/unicode/stacked-marks";
import { z } from "zod";

export const fieldTypes = ["text", "number", "date", "boolean", "choice", "link", "person"] as const;

/** A field as stored. Records keep their values under the key; people see only the name. */
export const Field = z.object({
  key: z.string(),
  name: z.string(),
  type: z.enum(fieldTypes),
  required: z.boolean(),
  /** The choices, in the order given. */
  choices: z.array(z.string()).optional(),
  /** For a link: the collection whose records it can refer to. */
  target: z.string().optional(),
});
export type Field = z.output<typeof Field>;

/** A field as typed; `target` is still the caller's name for the collection. */
export type TypedField = Omit<Field, "key">;

/** Properties that every record has; a field cannot use these names. */
const reservedNames = ["id", "body", "createdAt", "updatedAt"] as const;

/** No operator characters, so that `name>=value` has one reading; no leading dash, which means "descending". */
const namePattern = /^[\p{Letter}\p{Number}][\p{Letter}\p{Mark}\p{Number} _./()-]*$/u;
const longestName = 60;
const longestChoice = 100;
const mostChoices = 200;
export const mostFields = 100;

/** Why a field definition is not valid. */
export class WrongField extends Error {}

/** `name:type`, `name!:type` if it is required, `status:choice:lead,lost`, `account:link:companies`. */
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
      throw new WrongField(`${name} needs a collection to link to: ${name}:link:<collection>`);
    return { name, type, required, target: options };
  }
  if (options !== "") throw new WrongField(`a field of type ${type} takes no options`);
  return { name, type, required };
}

export function parseFieldName(typed: string): string {
  const name = typed.trim().normalize("NFC");
  if (name.length > longestName) throw new WrongField(`a name can have at most ${longestName} characters`);
  if (!namePattern.test(name)) {
    throw new WrongField(
      "a name must begin with a letter or digit, and can contain letters, digits, spaces and _ . / ( ) -",
    );
  }
  if (reservedNames.some((reserved) => sameName(reserved, name))) {
    throw new WrongField(`every record already has \`${name}\``);
  }
  return name;
}

export function parseChoices(typed: string): string[] {
  const choices = typed.split(",").map((choice) => choice.trim().normalize("NFC"));
  if (choices.some((choice) => choice === ""))
    throw new WrongField("separate choices with commas, and leave none empty");
  if (new Set(choices).size < choices.length) throw new WrongField("the same choice appears twice");
  if (choices.length > mostChoices) throw new WrongField(`a field can have at most ${mostChoices} choices`);
  if (choices.some((choice) => choice.length > longestChoice || /\p{Control}/u.test(choice))) {
    throw new WrongField(`a choice can have at most ${longestChoice} characters and no control characters`);
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

/** For messages: the likely intended field. */
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
  return fieldTypes.some((fieldType) => fieldType === type);
}
