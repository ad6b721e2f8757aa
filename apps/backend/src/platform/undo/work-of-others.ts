import type { UndoneOperation } from "@svc/command-router/command";
import { ProblemError } from "@svc/protocol/problem";
import { type RawBuilder, sql } from "kysely";
import type { CommandContext } from "../commands/command-context.ts";

/** Whose work an undo may revert, and the time since which everybody else's work is left alone. */
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

/** Changed by somebody else since then, or at any time if it was moved here since then. */
export function isWorkOfOthers(authors: RawBuilder<unknown>, own: OwnWork) {
  return sql<boolean>`(${changedByOthers(authors, own, "since")}
    or (${changedSince(authors, own)} and ${changedByOthers(authors, own, "ever")}))`;
}

/** Does not name the thing, because the caller may not have access to it. */
export function takesWorkOfOthers(what: string): ProblemError {
  return new ProblemError(
    "conflict",
    `Somebody else has added or changed something in ${what} since this operation.`,
    {
      hint: "Undo does not revert the work of others. Run `svc operations show <operation>` to see what it changed.",
    },
  );
}
