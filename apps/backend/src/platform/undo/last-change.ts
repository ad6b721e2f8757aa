import type { TenantTransaction } from "@svc/database/database";
import { ProblemError } from "@svc/protocol/problem";
import { type RawBuilder, sql } from "kysely";
import type { OwnWork } from "./work-of-others.ts";

/** An access entry, a group membership, a switch: things without a separate row that says who changed them. */
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
    on conflict (tenant_id, subject_id, part_id, changed_by) do update set changed_at = excluded.changed_at`.execute(
    db,
  );
}

/** For undo: checks that the last change was made by the author of the operation or by the caller. */
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
    .orderBy("changed_at", "desc")
    .limit(1)
    .executeTakeFirst();
  // guard: own-changes-only
  if (last === undefined || authors.includes(last.changed_by)) return;
  throw new ProblemError("conflict", "Somebody else has changed this after the operation.", {
    hint: "Undo does not revert the work of others. Run `svc operations show <operation>` to see what it changed.",
  });
}

/** Whether somebody else has changed something, ever or since; `which` selects the `change`. */
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
