import type { TenantTransaction } from "@svc/database/database";
import { ProblemError } from "@svc/protocol/problem";
import { type RawBuilder, sql } from "kysely";
import type { OwnWork } from "./work-of-others.ts";

/** An entry of an access list, who is in a group, a switch: what has no row of its own that says who changed it. */
export interface Part {
  subjectId: string;
  partId: string;
}

export async function noteChange(
  { db, tenantId, actorId }: TenantTransaction,
  { subjectId, partId }: Part,
): Promise<void> {
  await sql`
    insert into app.last_change (tenant_id, subject_id, part_id, changed_by, changed_at)
    values (${tenantId}, ${subjectId}, ${partId}, ${actorId}, clock_timestamp())
    on conflict (tenant_id, subject_id, part_id)
      do update set changed_by = excluded.changed_by, changed_at = excluded.changed_at`.execute(db);
}

/** For undo: the last one who changed it is the one whose operation is undone, or the one who undoes it. */
export async function requireOwnChange(
  { db, tenantId }: TenantTransaction,
  { subjectId, partId }: Part,
  { authors }: OwnWork,
): Promise<void> {
  const last = await db
    .selectFrom("app.last_change")
    .select("changed_by")
    .where("tenant_id", "=", tenantId)
    .where("subject_id", "=", subjectId)
    .where("part_id", "=", partId)
    .executeTakeFirst();
  if (last === undefined || authors.includes(last.changed_by)) return;
  throw new ProblemError("conflict", "Somebody else has changed it after this operation.", {
    hint: "Undo leaves the work of others alone.",
  });
}

/** Whether somebody else has changed something, ever or since; `which` says of which `change`. */
export function partChangedByOthers(
  tenantId: string,
  which: RawBuilder<unknown>,
  { authors, since }: OwnWork,
  when: "ever" | "since" = "since",
) {
  return sql<boolean>`exists (
    select from app.last_change as change
    where change.tenant_id = ${tenantId} and ${which} and change.changed_by <> all(${authors}::uuid[])
      and ${when === "ever" ? sql`true` : sql`extract(epoch from change.changed_at) > ${since}::numeric`})`;
}
