import { z } from "zod";
import { notACursor } from "../../../platform/cursors/json-cursor.ts";
import { isPath } from "./path.ts";

/** Room for the longest path: 100 names of 255 bytes. */
const maxLength = 35_000;

export const PathCursor = z
  .string()
  .max(maxLength)
  .optional()
  .describe("Where to continue, from `nextCursor` of the previous page");

/** Names hold spaces and quotes, and people paste cursors into a shell: so it is not the path itself. */
export function writePathCursor(names: readonly string[]): string {
  return Buffer.from(names.join("/")).toString("base64url");
}

export function readPathCursor(cursor: string | undefined): string[] | undefined {
  if (cursor === undefined) return undefined;
  const path = Buffer.from(cursor, "base64url").toString();
  if (isPath(path)) return path.split("/");
  throw notACursor();
}
