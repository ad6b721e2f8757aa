const units = ["B", "kB", "MB", "GB", "TB"];

/** Three digits, in powers of 1,000: `820 B`, `4.10 kB`, `210 MB`. */
export function readableBytes(bytes: number): string {
  if (bytes < 1_000 && Number.isInteger(bytes)) return `${bytes} B`;
  // Rounded first: 9.996 MB has as many digits as 9.99 MB, and 999.6 kB is 1.00 MB.
  const rounded = Number(bytes.toPrecision(3));
  const power = powerOf(rounded);
  const scaled = rounded / 1_000 ** power;
  const digits = power === 0 || scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2;
  return `${scaled.toFixed(digits)} ${units[power]}`;
}

/** In the unit of the total, always as wide: `4.7 of 8.2 MB`. */
export function readablePart(done: number, total: number): string {
  const power = powerOf(total);
  const scaled = (bytes: number) => (bytes / 1_000 ** power).toFixed(power === 0 ? 0 : 1);
  return `${scaled(done).padStart(scaled(total).length)} of ${scaled(total)} ${units[power]}`;
}

function powerOf(bytes: number): number {
  return Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(bytes) / 3)));
}
