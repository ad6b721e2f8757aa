import type { Database } from "@svc/database/database";
import { sql } from "kysely";

/**
 * What a tenant's people have: the tree with its contents and texts, access entries, groups, collections, records and
 * budgets. Without the trash, times, row versions and empty access lists, because an undo restores what people see.
 */
export async function readTenantState(admin: Database, tenantId: string): Promise<string[]> {
  const { rows } = await admin.withDirectory((db) =>
    sql<{ line: string }>`
      with recursive live as (
        select node.*, '/' || node.name as path from app.node as node
        join app.workspace on workspace.id = node.parent_id and workspace.tenant_id = node.tenant_id
        where node.tenant_id = ${tenantId} and node.trashed_at is null
        union all
        select node.*, live.path || '/' || node.name from live
        join app.node as node on node.tenant_id = live.tenant_id and node.parent_id = live.id
        where node.trashed_at is null),
      anchor as (
        select id, name as label from app.workspace where tenant_id = ${tenantId} and trashed_at is null
        union all select id, path from live
        union all select id, name from app.collection where tenant_id = ${tenantId} and trashed_at is null)
      select concat_ws(' ', 'workspace', id, name, slug, semantic_search_enabled) as line
      from app.workspace where tenant_id = ${tenantId} and trashed_at is null
      union all
      select concat_ws(' ', kind, workspace_id, path, encode(live.sha256, 'hex'), live.size, live.content_version, text,
        -- Which list it follows: by what the list is for, and only where that list says anything.
        (with recursive up as (
           select scope.*, 0 as depth from app.acl_scope as scope
           where scope.tenant_id = live.tenant_id and scope.id = live.acl_scope_id
           union all
           select scope.*, up.depth + 1 from up
           join app.acl_scope as scope on scope.tenant_id = up.tenant_id and scope.id = up.parent_id)
         select anchor_id from up
         where parent_id is null or not inherits
           or exists (select from app.acl_entry as entry where entry.tenant_id = up.tenant_id and entry.scope_id = up.id)
         order by depth limit 1))
      from live left join app.node_text as stored
        on stored.tenant_id = live.tenant_id and stored.node_id = live.id
       and stored.content_version = live.content_version
      union all
      select concat_ws(' ', 'entry', anchor.id, label, entry.principal_id, entry.role)
      from app.acl_entry as entry
      join app.acl_scope as scope on scope.tenant_id = entry.tenant_id and scope.id = entry.scope_id
      join anchor on anchor.id = scope.anchor_id
      where entry.tenant_id = ${tenantId}
      union all
      select concat_ws(' ', 'restricted', anchor.id, label)
      from app.acl_scope as scope join anchor on anchor.id = scope.anchor_id
      where scope.tenant_id = ${tenantId} and not scope.inherits
      union all
      select concat_ws(' ', 'member', principal.name, member.principal_id)
      from app.group_member as member
      join app.principal as principal on principal.tenant_id = member.tenant_id and principal.id = member.group_id
      where member.tenant_id = ${tenantId} and principal.disabled_at is null
      union all
      select concat_ws(' ', 'account', name, is_administrator, disabled_at is not null)
      from app.principal where tenant_id = ${tenantId} and kind <> 'group'
      union all
      select concat_ws(' ', 'collection', id, name, slug, fields::text, title_field)
      from app.collection where tenant_id = ${tenantId} and trashed_at is null
      union all
      select concat_ws(' ', 'record', record.id, title, record.fields::text, body)
      from app.record as record
      join app.collection as collection
        on collection.tenant_id = record.tenant_id and collection.id = record.collection_id
      where record.tenant_id = ${tenantId} and record.trashed_at is null and collection.trashed_at is null
      union all
      select concat_ws(' ', 'budget', limit_micros)
      from app.ai_budget_limit where tenant_id = ${tenantId} and limit_micros is not null
      union all
      select concat_ws(' ', 'embeddings', cron, model, next_model, previous_model)
      from app.embedding_setting
      where tenant_id = ${tenantId} and num_nonnulls(cron, model, next_model, previous_model) > 0
      union all
      select concat_ws(' ', 'settings', workspace_creation)
      from app.tenant_setting where tenant_id = ${tenantId}
      order by 1`.execute(db),
  );
  return rows.map(({ line }) => line);
}
