import { isStorable } from "@svc/database/is-storable";
import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { FoundPerson } from "../access/access.ts";

/** Holds what was shown, and not an id alone: the id of somebody hidden would tell where their name is in the order. */
const Place = z.tuple([z.string().max(1_000).refine(isStorable), z.uuid()]);

export function writePersonCursor({ sortName, id }: FoundPerson): string {
  return Buffer.from(JSON.stringify([sortName, id])).toString("base64url");
}

export function readPersonCursor(cursor: string): Pick<FoundPerson, "sortName" | "id"> {
  const parsed = Place.safeParse(parseJson(Buffer.from(cursor, "base64url").toString()));
  if (parsed.success) return { sortName: parsed.data[0], id: parsed.data[1] };
  throw new ProblemError("invalid_arguments", "`--cursor` is not the `nextCursor` of a page.", {
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
