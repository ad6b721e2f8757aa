import type { SampleOffice } from "../office/sample-office.ts";

/** What must not change: what there is, who may do what, and credentials. */
export async function takeStock(office: SampleOffice) {
  const read = async (statement: string) => (await office.rows(statement)).map((row) => JSON.stringify(row));
  return {
    /** In the trash too. */
    everything: await read(`
      select id from app.node union all select id from app.record
      union all select id from app.collection union all select id from app.workspace
      union all select node_id from app.node_version order by 1`),
    access: await read(`
      select 'entry', scope_id::text, principal_id::text, role::text from app.acl_entry
      union all select 'scope', id::text, parent_id::text, inherits::text from app.acl_scope
      union all select 'group', group_id::text, principal_id::text, null from app.group_member
      union all select 'person', id::text, is_administrator::text, disabled_at::text from app.principal
      union all select 'setting', tenant_id::text, workspace_creation::text, null from app.tenant_setting
      union all select 'admission', value, workspace_id::text, workspace_role::text from control.admission
      order by 1, 2, 3, 4`),
    credentials: await read(`
      select id::text, scopes::text, revoked_at::text from control.credential
      union all select credential_id::text, commands::text, ticket_hash::text from control.session order by 1, 2, 3`),
    content: await read(`
      select id::text, parent_id::text, name, sha256::text from app.node where trashed_at is null
      union all select id::text, collection_id::text, title, fields::text || body from app.record where trashed_at is null
      union all select id::text, workspace_id::text, name, fields::text from app.collection where trashed_at is null
      union all select id::text, slug, name, null from app.workspace where trashed_at is null
      order by 1, 2, 3, 4`),
  };
}

/** Rows of the first that the second has not. */
export function missingFrom(before: readonly string[], after: readonly string[]): string[] {
  const there = new Set(after);
  return before.filter((row) => !there.has(row));
}
