/**
 * PostgreSQL's text has neither NUL nor half of a surrogate pair. The latter needs no work: where text becomes bytes, or
 * bytes text, half a pair becomes a replacement character, and each text here has been both.
 */
export function storable(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "") : text;
}
