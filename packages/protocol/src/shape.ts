/** Whether something from outside is what it ought to be. */
export type Check = (value: unknown) => boolean;

/*
 * By hand, because zod takes 11 ms of every command only to be loaded: as long as all the rest of it. What the wire
 * says is still said once, in the protocol; answers.test.ts holds these checks against its schemas.
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

/** All that the type has, each with its check; what comes beside it is let through. */
export const isShape =
  <Value>(fields: { [Field in keyof Value]-?: Check }) =>
  (value: unknown): value is Value =>
    isRecord(value) && Object.entries<Check>(fields).every(([field, check]) => check(value[field]));

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Undefined where it is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
