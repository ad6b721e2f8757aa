import type { Database } from "@svc/database/database";
import { sql } from "kysely";

export interface StateRows {
  workspaces: { id: string; name: string; slug: string; isTrashed: boolean; isSemantic: boolean }[];
  nodes: {
    id: string;
    kind: "file" | "folder";
    parentId: string;
    workspaceId: string;
    name: string;
    scopeId: string;
    isTrashed: boolean;
    sha256: string | null;
    versions: string[] | null;
  }[];
  scopes: { id: string; parentId: string | null; anchorId: string; inherits: boolean }[];
  entries: { scopeId: string; principalId: string; role: string }[];
  collections: {
    id: string;
    workspaceId: string;
    name: string;
    slug: string;
    scopeId: string;
    isTrashed: boolean;
    fields: { key: string; name: string }[];
  }[];
  records: { id: string; collectionId: string; fields: Record<string, unknown>; isTrashed: boolean }[];
  principals: {
    id: string;
    kind: string;
    name: string;
    isAdministrator: boolean;
    isDisabled: boolean;
  }[];
  members: { groupId: string; principalId: string }[];
  tokens: { id: string; name: string; isRevoked: boolean; isRotated: boolean }[];
  limitMicros: number | null;
  embeddings: {
    cron: string | null;
    model: string | null;
    nextModel: string | null;
    previousModel: string | null;
  } | null;
  creators: string | null;
  isRunning: boolean | null;
  withoutLog: (string | null)[] | null;
  reindexes: { workspaceId: string | null; folderId: string | null }[];
}

/**
 * Everything in one world, straight from the tables and in one statement. Ids grow with time, so a world consists of
 * everything since its first workspace.
 */
export async function readState(
  admin: Database,
  tenantId: string,
  { since, people, groups }: { since: string; people: readonly string[]; groups: readonly string[] },
): Promise<StateRows> {
  const principals = [...people, ...groups];
  const { rows } = await admin.withDirectory((db) =>
    sql<{ state: StateRows }>`
      with place as materialized (
        select * from app.workspace where tenant_id = ${tenantId} and id >= ${since}::uuid),
      scope as materialized (
        select scope.* from place join app.acl_scope as scope
          on scope.tenant_id = ${tenantId} and scope.workspace_id = place.id),
      shelf as materialized (
        select shelf.* from place join app.collection as shelf
          on shelf.tenant_id = ${tenantId} and shelf.workspace_id = place.id)
      select json_build_object(
        'workspaces', (select coalesce(json_agg(json_build_object(
          'id', id, 'name', name, 'slug', slug, 'isTrashed', trashed_at is not null,
          'isSemantic', semantic_search_enabled)), '[]') from place),
        'nodes', (select coalesce(json_agg(json_build_object(
          'id', node.id, 'kind', node.kind, 'parentId', node.parent_id, 'workspaceId', node.workspace_id,
          'name', node.name, 'scopeId', node.acl_scope_id, 'isTrashed', node.trashed_at is not null,
          'sha256', encode(node.sha256, 'hex'), 'versions', (
            select json_agg(encode(version.sha256, 'hex') order by version.content_version)
            from app.node_version as version
            where version.tenant_id = ${tenantId} and version.node_id = node.id and version.undone_at is null))), '[]')
          from place join app.node as node on node.tenant_id = ${tenantId} and node.workspace_id = place.id),
        'scopes', (select coalesce(json_agg(json_build_object(
          'id', id, 'parentId', parent_id, 'anchorId', anchor_id, 'inherits', inherits)), '[]') from scope),
        'entries', (select coalesce(json_agg(json_build_object(
          'scopeId', entry.scope_id, 'principalId', entry.principal_id, 'role', entry.role)), '[]')
          from scope join app.acl_entry as entry
            on entry.tenant_id = ${tenantId} and entry.scope_id = scope.id),
        'collections', (select coalesce(json_agg(json_build_object(
          'id', id, 'workspaceId', workspace_id, 'name', name, 'slug', slug, 'scopeId', acl_scope_id,
          'isTrashed', trashed_at is not null, 'fields', fields)), '[]') from shelf),
        'records', (select coalesce(json_agg(json_build_object(
          'id', record.id, 'collectionId', record.collection_id, 'fields', record.fields,
          'isTrashed', record.trashed_at is not null)), '[]')
          from shelf join app.record as record
            on record.tenant_id = ${tenantId} and record.collection_id = shelf.id),
        'principals', (select coalesce(json_agg(json_build_object(
          'id', id, 'kind', kind, 'name', name, 'isAdministrator', is_administrator,
          'isDisabled', disabled_at is not null)), '[]')
          from app.principal
          where tenant_id = ${tenantId} and (id >= ${since}::uuid or id = any(${principals}::uuid[]))),
        'members', (select coalesce(json_agg(json_build_object(
          'groupId', group_id, 'principalId', principal_id)), '[]')
          from app.group_member
          where tenant_id = ${tenantId} and (group_id >= ${since}::uuid or group_id = any(${[...groups]}::uuid[]))),
        'tokens', (select coalesce(json_agg(json_build_object(
          'id', id, 'name', name, 'isRevoked', revoked_at is not null,
          'isRotated', previous_secret_hash is not null)), '[]')
          from control.credential
          where tenant_id = ${tenantId}
            and (id >= ${since}::uuid or principal_id = any(${[...people]}::uuid[]))),
        'limitMicros', (select limit_micros from app.ai_budget_limit where tenant_id = ${tenantId}),
        'embeddings', (select json_build_object(
          'cron', cron, 'model', model, 'nextModel', next_model, 'previousModel', previous_model)
          from app.embedding_setting where tenant_id = ${tenantId}),
        'creators', (select workspace_creation from app.tenant_setting where tenant_id = ${tenantId}),
        'isRunning', (select started_at is not null from app.embedding_run where tenant_id = ${tenantId}),
        'withoutLog', (select json_agg(actor_id) from app.search_log_refusal where tenant_id = ${tenantId}),
        'reindexes', (select coalesce(json_agg(json_build_object(
          'workspaceId', workspace_id, 'folderId', folder_id)), '[]')
          from app.search_reindex where tenant_id = ${tenantId} and ended_at is null)
      ) as state`.execute(db),
  );
  return (rows[0] as { state: StateRows }).state;
}

/** Resets what belongs to the tenant as a whole, so that each world can be repeated. */
export async function resetTenant(
  admin: Database,
  tenantId: string,
  members: readonly { groupId: string; principalId: string }[],
  accounts: readonly { id: string; isAdministrator: boolean }[],
): Promise<void> {
  const column = (of: "groupId" | "principalId") => members.map((member) => member[of]);
  await admin.withDirectory((db) =>
    sql`
      with limits as (delete from app.ai_budget_limit where tenant_id = ${tenantId}),
      settings as (delete from app.embedding_setting where tenant_id = ${tenantId}),
      runs as (delete from app.embedding_run where tenant_id = ${tenantId}),
      refusals as (delete from app.search_log_refusal where tenant_id = ${tenantId}),
      reindexes as (delete from app.search_reindex where tenant_id = ${tenantId}),
      -- People who start a world are not in a workspace yet.
      creators as (
        insert into app.tenant_setting as setting (tenant_id, workspace_creation) values (${tenantId}, 'everyone')
        on conflict (tenant_id) do update set workspace_creation = 'everyone'),
      -- Nobody has anything from earlier worlds.
      places as (
        update app.workspace set trashed_at = now() where tenant_id = ${tenantId} and trashed_at is null),
      groups as (
        update app.principal set disabled_at = null
        where tenant_id = ${tenantId} and disabled_at is not null and id = any(${column("groupId")}::uuid[])),
      accounts as (
        update app.principal as principal set disabled_at = null, is_administrator = account.is_administrator
        from unnest(${accounts.map(({ id }) => id)}::uuid[],
          ${accounts.map(({ isAdministrator }) => isAdministrator)}::boolean[]) as account (id, is_administrator)
        where principal.tenant_id = ${tenantId} and principal.id = account.id),
      -- Accounts of tokens from earlier worlds.
      former as (
        update app.principal set is_administrator = false
        where tenant_id = ${tenantId} and is_administrator and id <> all(${accounts.map(({ id }) => id)}::uuid[])),
      wanted as (
        select * from unnest(${column("groupId")}::uuid[], ${column("principalId")}::uuid[])
          as wanted (group_id, principal_id)),
      others as (
        delete from app.group_member as member where tenant_id = ${tenantId}
          and (group_id, principal_id) not in (select group_id, principal_id from wanted))
      insert into app.group_member (tenant_id, group_id, principal_id)
      select ${tenantId}, group_id, principal_id from wanted on conflict do nothing`.execute(db),
  );
}

/** The default. */
export async function letMembersCreate(admin: Database, tenantId: string): Promise<void> {
  await admin.withDirectory((db) =>
    sql`delete from app.tenant_setting where tenant_id = ${tenantId}`.execute(db),
  );
}
