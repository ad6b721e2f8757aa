import { z } from "zod";

const powers: Record<string, number> = { "": 0, k: 1, m: 2, g: 3, t: 4 };

/** A number of bytes as people type it: `500`, `1.5 MB`, `2GiB`. */
export const Size = z
  .string()
  .max(40)
  .transform((text, { addIssue }) => {
    const [, number, unit = "", binary] = /^(\d{1,15}(?:\.\d{1,6})?) ?(?:([kmgt])(i?))?b?$/i.exec(text) ?? [];
    const bytes = Math.round(Number(number) * (binary ? 1_024 : 1_000) ** (powers[unit.toLowerCase()] ?? 0));
    if (Number.isSafeInteger(bytes)) return bytes;
    addIssue({ code: "custom", message: "must be a size such as 500, 200kB, 1.5MB or 2GiB" });
    return z.NEVER;
  });
