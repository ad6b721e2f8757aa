/** Of vectors of length 1. */
export function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (!a || !b) throw new Error("there is no such vector");
  return a.reduce((sum, value, index) => sum + value * (b[index] as number), 0);
}
