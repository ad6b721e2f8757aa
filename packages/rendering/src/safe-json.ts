import { forbidden } from "./terminal-text.ts";

/**
 * JSON that is safe on a terminal and equal to its input: forbidden characters occur in strings only, so they can be
 * escaped. JSON.stringify leaves them raw, except for lone surrogates.
 */
export function safeJson(value: unknown, indent = 2): string {
  return JSON.stringify(value ?? null, null, indent).replace(forbidden, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
