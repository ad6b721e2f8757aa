/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
export function isStorable(value: unknown): value is string {
  return typeof value === "string" && value.isWellFormed() && !value.includes("\0");
}
