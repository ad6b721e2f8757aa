/** A vector in PostgreSQL's format. Five digits are more than a halfvec keeps. */
export function toHalfvec(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => (value === 0 ? "0" : value.toPrecision(5))).join()}]`;
}
