import { ProblemError } from "@svc/protocol/problem";
import type { z } from "zod";

/** A cursor that holds where a page ended: one word, whatever is in it, because people paste cursors into a shell. */
export function writeJsonCursor(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** Undefined if it holds something else. */
export function readJsonCursor<Schema extends z.ZodType>(
  schema: Schema,
  cursor: string,
): z.output<Schema> | undefined {
  return schema.safeParse(parseJson(Buffer.from(cursor, "base64url").toString())).data;
}

/** The same for a cursor that somebody typed. */
export function requireJsonCursor<Schema extends z.ZodType>(
  schema: Schema,
  cursor: string | undefined,
): z.output<Schema> | undefined {
  if (cursor === undefined) return undefined;
  const place = readJsonCursor(schema, cursor);
  if (place !== undefined) return place;
  throw notACursor();
}

export function notACursor(): ProblemError {
  return new ProblemError("invalid_arguments", "`--cursor` is not the `nextCursor` of a page.", {
    hint: "Start over without it.",
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
