const rounds = 5;

/**
 * How many times as much processor time work takes on four times as much: about 4 if it is linear, 16 if it is
 * quadratic. Both sizes run in turn, and the least counts: compiling, collecting garbage and a busy machine only add.
 */
export function growth(size: number, work: (size: number) => unknown): number {
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as [number, number];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, times] of [1, 4].entries()) {
      const before = process.cpuUsage();
      work(times * size);
      const { user, system } = process.cpuUsage(before);
      least[index] = Math.min(least[index] ?? 0, user + system);
    }
  }
  return least[1] / least[0];
}

/** Between linear, which is 4, and quadratic, which is 16. */
export const mostGrowth = 10;
