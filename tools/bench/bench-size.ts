const sizes = ["full", "smoke"] as const;

type BenchSize = (typeof sizes)[number];

/** Bars count at full size only. `BENCH_SIZE=smoke` shows within seconds that a measurement still runs. */
export const currentSize = readSize(process.env.BENCH_SIZE || "full");

export function benchSize<T>(full: T, smoke: T): T {
  return currentSize === "smoke" ? smoke : full;
}

function readSize(text: string): BenchSize {
  const size = sizes.find((known) => known === text);
  if (!size) throw new Error(`BENCH_SIZE is "${text}". Use one of: ${sizes.join(", ")}.`);
  return size;
}
