import { z } from "zod";

/** The name of a service account, an AI member or a group. */
export const AccountName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => !looksLikeAddress(name), "must not contain @, which is for e-mail addresses");

/** Compatibility forms of @ too: nobody should take a name for an address. */
export function looksLikeAddress(name: string): boolean {
  return name.normalize("NFKC").includes("@");
}
