/** A shell glob as a pattern of LIKE; a text without `*` and `?` may be anywhere in the name. */
export function namePattern(glob: string): string {
  const pattern = glob
    .normalize("NFC")
    .replace(/[\\%_]/g, "\\$&")
    .replaceAll("*", "%")
    .replaceAll("?", "_");
  return /[*?]/.test(glob) ? pattern : `%${pattern}%`;
}
