import { z } from "zod";

/** A day, as people type it, or a timestamp, as programs write it. */
export const Moment = z
  .string()
  .max(40)
  .refine((text) => z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text).success, {
    error: "must be a day such as 2026-01-31 or a time such as 2026-01-31T10:00:00Z",
  });
