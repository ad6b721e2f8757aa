import { z } from "zod";

/** What amounts are in. We pay models in it; nothing is ever converted. */
export const currency = "USD";

const decimals = 6;

/** Money as people write it, in micro-units. No number on the way: 0.1 is none that a float has. */
export const Amount = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, "must be an amount such as 25 or 25.50");

export function toMicros(amount: z.output<typeof Amount>): bigint {
  const [whole = "", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** With cents, and more only where there is more. */
export function formatMicros(micros: bigint): string {
  const digits = micros.toString().padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0{1,4}$/, "");
  return `${digits.slice(0, -decimals)}.${fraction}`;
}
