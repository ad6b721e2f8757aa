import type { UndoneOperation } from "@svc/command-router/command";
import { ProblemError } from "@svc/protocol/problem";
import { type RawBuilder, sql } from "kysely";
import type { CommandContext } from "./command-context.ts";

/** Whose work an undo may take away or revert, and from when on that of everybody else is to be left alone. */
export interface OwnWork {
  authors: string[];
  since: string;
}

/** An administrator who undoes somebody's operation acts for that person. */
export function ownWork({ actor }: CommandContext, operation: UndoneOperation): OwnWork {
  return { authors: [...new Set([actor.id, operation.actorId])], since: operation.at };
}

/** Whether somebody else has changed a row, ever or since the operation. `authors` is that column of the row. */
export function changedByOthers(authors: RawBuilder<unknown>, own: OwnWork, when: "ever" | "since") {
  return sql<boolean>`exists (
    select from jsonb_each_text(${authors}) as author (id, at)
    where author.id <> all(${own.authors}::text[])
      and ${when === "ever" ? sql`true` : sql`author.at::numeric > ${own.since}::numeric`})`;
}

export function changedSince(authors: RawBuilder<unknown>, { since }: OwnWork) {
  return sql<boolean>`exists (
    select from jsonb_each_text(${authors}) as author (id, at) where author.at::numeric > ${since}::numeric)`;
}

/** Changed by somebody else since; or whenever, if it came to where it is since. */
export function isWorkOfOthers(authors: RawBuilder<unknown>, own: OwnWork) {
  return sql<boolean>`(${changedByOthers(authors, own, "since")}
    or (${changedSince(authors, own)} and ${changedByOthers(authors, own, "ever")}))`;
}

/** What it is stays untold: the caller may not be allowed to see it. */
export function takesWorkOfOthers(what: string): ProblemError {
  return new ProblemError("conflict", `Somebody else has added or changed something in ${what} since.`, {
    hint: "Undo leaves the work of others alone.",
  });
}
