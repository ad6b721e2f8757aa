import type { TenantTransaction } from "@svc/database/database";
import { type RawBuilder, sql } from "kysely";
import { beginsWith } from "../../platform/completions/prefix-range.ts";
import { partChangedByOthers } from "../../platform/undo/last-change.ts";
import type { OwnWork } from "../../platform/undo/work-of-others.ts";
import type { Principal } from "../access/access.ts";

export interface Group {
  id: string;
  name: string;
  members: number;
}

export async function listGroups(
  { db, tenantId }: TenantTransaction,
  {
    isVisible,
    after,
    beginning = "",
    limit,
  }: {
    isVisible: RawBuilder<boolean>;
    after?: string | undefined;
    /** Only names that begin with it. */
    beginning?: string;
    limit: number;
  },
): Promise<Group[]> {
  const { rows } = await sql<Group>`
    select principal.id, principal.name,
           (select count(*) from app.group_member as member
            where member.tenant_id = ${tenantId} and member.group_id = principal.id) as members
    from app.principal as principal
    where principal.tenant_id = ${tenantId} and principal.kind = 'group' and principal.disabled_at is null
      and ${after === undefined ? sql`true` : sql`principal.id > ${after}::uuid`}
      and ${beginsWith(sql.ref("principal.name"), beginning)}
      and ${isVisible}
    order by principal.id limit ${limit}`.execute(db);
  return rows;
}

/** Undefined if a group has that name. */
export async function insertGroup(
  { db, tenantId }: TenantTransaction,
  name: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into app.principal (tenant_id, kind, name)
    select ${tenantId}, 'group', ${name}
    where not exists (
      select from app.principal
      where tenant_id = ${tenantId} and kind = 'group' and name = ${name} and disabled_at is null)
    returning id`.execute(db);
  return rows[0]?.id;
}

export async function hasGroup({ db, tenantId }: TenantTransaction, name: string): Promise<boolean> {
  const found = await db
    .selectFrom("app.principal")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("kind", "=", "group")
    .where("name", "=", name)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  return found !== undefined;
}

/** Whether somebody else has changed its members or its access. */
export async function isUsedByOthers(
  { db, tenantId }: TenantTransaction,
  id: string,
  own: OwnWork,
): Promise<boolean> {
  const which = sql`(change.subject_id = ${id} or change.part_id = ${id})`;
  const { rows } = await sql<{ isUsed: boolean }>`
    select ${partChangedByOthers(tenantId, which, own)} as "isUsed"`.execute(db);
  return rows[0]?.isUsed === true;
}

/** A disabled group gives no access; its entries stay for when it is restored. */
export async function setDisabled(
  { db, tenantId }: TenantTransaction,
  id: string,
  at: Date | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("app.principal")
    .set({ disabled_at: at })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .where("kind", "=", "group")
    .where("disabled_at", at === null ? "is not" : "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function listGroupMembers(
  { db, tenantId }: TenantTransaction,
  groupId: string,
): Promise<Principal[]> {
  return db
    .selectFrom("app.group_member as member")
    .innerJoin("app.principal as principal", (join) =>
      join
        .onRef("principal.tenant_id", "=", "member.tenant_id")
        .onRef("principal.id", "=", "member.principal_id"),
    )
    .select([
      "principal.id",
      sql<Principal["kind"]>`principal.kind`.as("kind"),
      "principal.name",
      "principal.email",
    ])
    .where("member.tenant_id", "=", tenantId)
    .where("member.group_id", "=", groupId)
    .orderBy("principal.name")
    .orderBy("principal.id")
    .execute();
}

/** False if nothing had to change. */
export async function setGroupMember(
  { db, tenantId }: TenantTransaction,
  groupId: string,
  principalId: string,
  isMember: boolean,
): Promise<boolean> {
  const row = { tenant_id: tenantId, group_id: groupId, principal_id: principalId };
  if (isMember) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto("app.group_member")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }
  const { numDeletedRows } = await db
    .deleteFrom("app.group_member")
    .where("tenant_id", "=", tenantId)
    .where("group_id", "=", groupId)
    .where("principal_id", "=", principalId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
