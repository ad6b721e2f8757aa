/**
 * PostgreSQL's text can contain neither NUL nor half of a surrogate pair. The latter needs no work: converting text to
 * bytes or back replaces half a pair with a replacement character, and each text here has been both.
 */
export function storable(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "") : text;
}
