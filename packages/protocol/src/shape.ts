/** Whether a value from outside has the expected shape. */
export type Check = (value: unknown) => boolean;

/*
 * By hand, because loading zod would add 11 ms to every command, as long as all the rest. The protocol still defines
 * the wire once; answers.test.ts compares these checks with its schemas.
 */
export const isText: Check = (value) => typeof value === "string";
export const isNumber: Check = (value) => typeof value === "number";
export const isBoolean: Check = (value) => typeof value === "boolean";
export const isAnything: Check = () => true;

export const isExactly =
  (wanted: string): Check =>
  (value) =>
    value === wanted;

export const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

export const isMaybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

export const isMapOf =
  (check: Check): Check =>
  (value) =>
    isRecord(value) && Object.values(value).every(check);

/** All fields of the type, each with its check; extra fields are accepted. */
export const isShape =
  <Value>(fields: { [Field in keyof Value]-?: Check }) =>
  (value: unknown): value is Value =>
    isRecord(value) && Object.entries<Check>(fields).every(([field, check]) => check(value[field]));

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Undefined if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
