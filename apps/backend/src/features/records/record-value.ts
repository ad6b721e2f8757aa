import { hasStackedMarks } from "@svc/command-router/arguments/has-stacked-marks";
import { suggest } from "@svc/command-router/arguments/suggest";
import { decodeId } from "@svc/protocol/typed-id";
import type { Field } from "../collections/collections.ts";

/** As it is kept; null is no value. A link is the id of a record; a person, until he is looked up, what was typed. */
export type Value = string | number | boolean | null;

/** By the key of the field. */
export type Values = Record<string, Value>;

/** Why a text is no value of a field. Not an error: an import has many of them. */
export class WrongValue {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const longestText = 20_000;
const longestPerson = 320;
/** Checked before the digits are looked at: no number that is kept exactly needs more. */
const longestNumber = 100;
/** More of them than a number keeps would be changed in silence. */
const exactDigits = 15;

/** What a text means for a field. Empty is no value, whatever the type. */
export function readValue(field: Field, text: string): Value | WrongValue {
  if (text === "") return null;
  if (hasStackedMarks(text)) return new WrongValue("has more than 30 combining marks in a row");
  switch (field.type) {
    case "text":
      return readText(text, longestText);
    case "number":
      return readNumber(text.trim());
    case "date":
      return isDate(text.trim()) ? text.trim() : new WrongValue("is no date; a date is typed as 2026-03-31");
    case "boolean":
      return readBoolean(text.trim().toLowerCase());
    case "choice":
      return readChoice(field.choices ?? [], text.trim().normalize("NFC"));
    case "link":
      return decodeId(text.trim(), "record") ?? new WrongValue("is no id of a record (rec_…)");
    case "person":
      return text.length > longestPerson ? new WrongValue("is nobody's name") : text.trim();
  }
}

/**
 * Ends of lines become \n, as editors on any system show them. What a terminal would obey is refused here, once, where
 * it comes in; what is merely invisible stays, for some scripts are not written without it.
 */
export function readText(text: string, longest: number): string | WrongValue {
  if (!plain.test(text)) {
    if (!text.isWellFormed()) return new WrongValue("holds half of a surrogate pair");
    if (controls.test(text)) return new WrongValue("holds control characters");
  }
  const value = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  return value.length > longest ? new WrongValue(`has more than ${longest} characters`) : value;
}

const plain = /^[\t\n\r -~]*$/;
const controls = /[\p{Control}--[\t\n\r]]/v;

function readNumber(text: string): number | WrongValue {
  if (text.length > longestNumber) return new WrongValue(`has more than ${longestNumber} characters`);
  const match = /^[+-]?(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE][+-]?\d{1,4})?$/.exec(text);
  const value = Number(text);
  if (!match || !Number.isFinite(value))
    return new WrongValue("is no number; a number is typed as 1200 or -0.5");
  const isExact =
    significantDigits(text) <= exactDigits || significantDigits(text) === significantDigits(`${value}`);
  if (
    Math.abs(value) > Number.MAX_SAFE_INTEGER ||
    !isExact ||
    (value === 0 && /[1-9]/.test(text.split(/e/i)[0] ?? ""))
  ) {
    return new WrongValue("has more digits than a number keeps; use a text");
  }
  return value === 0 ? 0 : value;
}

function significantDigits(text: string): number {
  const [mantissa = ""] = text.split(/e/i);
  const fromFirstToLast = /[1-9](?:\d*[1-9])?/.exec(mantissa.replace(".", ""));
  return fromFirstToLast?.[0].length ?? 0;
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!match) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return text > "0001" && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function readBoolean(text: string): boolean | WrongValue {
  if (text === "true" || text === "yes") return true;
  if (text === "false" || text === "no") return false;
  return new WrongValue("is neither true nor false");
}

function readChoice(choices: readonly string[], text: string): string | WrongValue {
  if (choices.includes(text)) return text;
  const meant =
    choices.find((choice) => choice.toLowerCase() === text.toLowerCase()) ?? suggest(text, choices);
  if (meant !== undefined) return new WrongValue(`is no choice; did you mean \`${meant}\`?`);
  const listed = choices.length > 10 ? `${choices.slice(0, 10).join(", ")}, …` : choices.join(", ");
  return new WrongValue(`is none of ${listed}`);
}
