import type { UndoneOperation } from "@svc/command-router/command";
import { ProblemError } from "@svc/protocol/problem";
import { type RawBuilder, sql } from "kysely";
import type { CommandContext } from "./command-context.ts";

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

/**
 * For undo: refuses if somebody else has changed the row since. Versions recur, so a row that looks as the operation
 * left it may look so because of somebody else.
 */
export async function requireUnchangedByOthers(
  context: CommandContext,
  table: "app.node" | "app.record",
  { id, name }: { id: string; name: string },
  operation: UndoneOperation,
): Promise<void> {
  const { db, tenantId } = context.transaction;
  const isChanged = changedByOthers(sql.ref("changed.authors"), ownWork(context, operation), "since");
  const { rows } = await sql<{ isChanged: boolean }>`
    select ${isChanged} as "isChanged" from ${sql.table(table)} as changed
    where changed.tenant_id = ${tenantId} and changed.id = ${id}`.execute(db);
  if (rows[0]?.isChanged) throw takesWorkOfOthers(name);
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
