import { suggest } from "@svc/command-router/arguments/suggest";
import { decodeId } from "@svc/protocol/typed-id";
import { hasStackedMarks } from "@svc/unicode/stacked-marks";
import type { Field } from "../collections/collections.ts";

/**
 * A stored value; null means no value. A link is the id of a record; a person is the typed text until they are looked
 * up.
 */
export type Value = string | number | boolean | null;

/** By the key of the field. */
export type Values = Record<string, Value>;

/** Why a text is not a valid value of a field. Not an Error, because an import can have many of them. */
export class WrongValue {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const longestText = 20_000;
const longestPerson = 320;
/** Checked before the digits: no number that can be stored exactly needs more. */
const longestNumber = 100;
/** More digits than a number can store would be changed silently. */
const exactDigits = 15;

/** What a text means for a field. Empty means no value for every type. */
export function readValue(field: Field, text: string): Value | WrongValue {
  if (text === "") return null;
  if (hasStackedMarks(text)) return new WrongValue("has more than 30 combining marks in a row");
  switch (field.type) {
    case "text":
      return readText(text, longestText);
    case "number":
      return readNumber(text.trim());
    case "date":
      return isDate(text.trim()) ? text.trim() : new WrongValue("is not a date; use the form 2026-03-31");
    case "boolean":
      return readBoolean(text.trim().toLowerCase());
    case "choice":
      return readChoice(field.choices ?? [], text.trim().normalize("NFC"));
    case "link":
      return decodeId(text.trim(), "record") ?? new WrongValue("is not the id of a record (rec_…)");
    case "person":
      return text.length > longestPerson ? new WrongValue("is not a name") : text.trim();
  }
}

/**
 * Line endings become \n, as editors on every system show them. Control characters are refused here, once, on input;
 * characters that are merely invisible stay, because some scripts need them.
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
  if (!match || !Number.isFinite(value)) return new WrongValue("is not a number; use the form 1200 or -0.5");
  const isExact =
    significantDigits(text) <= exactDigits || significantDigits(text) === significantDigits(`${value}`);
  if (
    Math.abs(value) > Number.MAX_SAFE_INTEGER ||
    !isExact ||
    (value === 0 && /[1-9]/.test(text.split(/e/i)[0] ?? ""))
  ) {
    return new WrongValue("has more digits than a number can store; use a text field");
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
  if (meant !== undefined) return new WrongValue(`is not a choice; did you mean \`${meant}\`?`);
  const listed = choices.length > 10 ? `${choices.slice(0, 10).join(", ")}, …` : choices.join(", ");
  return new WrongValue(`is not one of ${listed}`);
}
