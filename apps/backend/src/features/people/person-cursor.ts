import { isStorable } from "@svc/database/is-storable";
import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { readJsonCursor, writeJsonCursor } from "../../platform/cursors/json-cursor.ts";
import type { FoundPerson } from "../access/access.ts";

/** Holds what was shown, and not an id alone: the id of somebody hidden would tell where their name is in the order. */
const Place = z.tuple([z.string().max(1_000).refine(isStorable), z.uuid()]);

export function writePersonCursor({ sortName, id }: FoundPerson): string {
  return writeJsonCursor([sortName, id]);
}

export function readPersonCursor(cursor: string): Pick<FoundPerson, "sortName" | "id"> {
  const [sortName, id] = readJsonCursor(Place, cursor) ?? [];
  if (sortName !== undefined && id !== undefined) return { sortName, id };
  throw new ProblemError("invalid_arguments", "`--cursor` is not the `nextCursor` of a page.", {
    hint: "Start over without it.",
  });
}
