/** By nearest rank: always a value that was measured. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error("nothing was measured");
  return value;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
