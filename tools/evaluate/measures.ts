/** How well the first ten are ordered; 1 is perfect. Each hit gains by its position, later ones less. */
export function ndcgAt10(found: readonly string[], grades: ReadonlyMap<string, number>): number {
  const gain = (some: readonly number[]) =>
    some.slice(0, 10).reduce((sum, grade, place) => sum + (2 ** grade - 1) / Math.log2(place + 2), 0);
  const best = gain([...grades.values()].sort((left, right) => right - left));
  return best === 0 ? 0 : gain(found.map((id) => grades.get(id) ?? 0)) / best;
}

/** The share of relevant documents that were found. */
export function recall(found: readonly string[], grades: ReadonlyMap<string, number>): number {
  return found.filter((id) => grades.has(id)).length / grades.size;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
