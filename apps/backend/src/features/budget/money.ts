import { z } from "zod";

/** The currency of all amounts. We pay for models in it; nothing is ever converted. */
export const currency = "USD";

const decimals = 6;

/** Parses money as people write it into micro-units, without floats, because no float equals 0.1. */
export const Amount = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, "must be an amount such as 25 or 25.50");

export function toMicros(amount: z.output<typeof Amount>): bigint {
  const [whole = "", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** With cents, and more digits only if needed. */
export function formatMicros(micros: bigint): string {
  const digits = micros.toString().padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0{1,4}$/, "");
  return `${digits.slice(0, -decimals)}.${fraction}`;
}
