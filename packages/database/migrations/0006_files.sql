-- The file tree. A node's parent is a folder, or the workspace itself for what stands at the top.
create table app.node (
  tenant_id uuid not null,
  id uuid not null default uuidv7(),
  workspace_id uuid not null,
  parent_id uuid not null,
  kind text not null check (kind in ('folder', 'file')),
  name text not null check (octet_length(name) between 1 and 255),
  acl_scope_id uuid not null,
  -- Of the content: 0 for a folder, 1 for the first content of a file.
  content_version integer not null default 0,
  size bigint,
  media_type text,
  sha256 bytea,
  created_at timestamptz not null default now(),
  created_by uuid not null,
  updated_at timestamptz not null default now(),
  updated_by uuid not null,
  -- Set on the node that was deleted; what lies below it is gone with it and comes back with it.
  trashed_at timestamptz,
  version integer not null default 1,
  primary key (tenant_id, id),
  foreign key (tenant_id, workspace_id) references app.workspace (tenant_id, id) on delete cascade,
  foreign key (tenant_id, acl_scope_id) references app.acl_scope (tenant_id, id),
  check ((kind = 'file') = (sha256 is not null and size is not null and media_type is not null))
);
create unique index node_by_name on app.node (tenant_id, parent_id, name) where trashed_at is null;
-- In the order of a listing, so that a page of a large folder is read and not sorted; also for what lies below a folder.
create index node_in_folder on app.node (tenant_id, parent_id, (kind <> 'folder'), name);
create index node_by_scope on app.node (tenant_id, acl_scope_id);
create index node_in_trash on app.node (tenant_id, workspace_id, trashed_at) where trashed_at is not null;

-- Earlier contents, the present one included.
create table app.node_version (
  tenant_id uuid not null,
  node_id uuid not null,
  content_version integer not null,
  size bigint not null,
  media_type text not null,
  sha256 bytea not null,
  created_at timestamptz not null default now(),
  created_by uuid not null,
  primary key (tenant_id, node_id, content_version),
  foreign key (tenant_id, node_id) references app.node (tenant_id, id) on delete cascade
);

-- One row a content of a tenant, however many versions have it. Its bytes stand under storage_key, which is never used
-- again: whoever finds an object without a row may delete it, and whoever deletes a row may delete its object.
create table app.blob (
  tenant_id uuid not null,
  sha256 bytea not null check (length(sha256) = 32),
  size bigint not null,
  storage_key uuid not null,
  reference_count integer not null check (reference_count >= 0),
  unreferenced_at timestamptz,
  primary key (tenant_id, sha256),
  check ((reference_count = 0) = (unreferenced_at is not null))
);
create index blob_to_collect on app.blob (unreferenced_at) where unreferenced_at is not null;
create unique index blob_by_storage_key on app.blob (tenant_id, storage_key);

-- What came out of each version for searching.
create table app.node_text (
  tenant_id uuid not null,
  node_id uuid not null,
  content_version integer not null,
  outcome text not null check (
    outcome in ('ok', 'empty', 'encrypted', 'too_large', 'timeout', 'crash', 'unsupported', 'truncated')),
  text text not null default '',
  extractor_version integer not null,
  primary key (tenant_id, node_id, content_version),
  foreign key (tenant_id, node_id, content_version)
    references app.node_version (tenant_id, node_id, content_version) on delete cascade
);

call app.police('app.node');
call app.police('app.node_version');
call app.police('app.blob');
call app.police('app.node_text');

grant select, insert, update, delete on app.node, app.node_version, app.node_text to svc_app;
grant select, insert, update on app.blob to svc_app;
grant select on app.node, app.node_version, app.node_text, app.blob to svc_worker;

-- Collecting is done for all tenants of a cell at once. Whoever puts a content while its row is being collected waits for
-- this transaction and then finds no row: it adopts the object that it wrote itself. One whose row is locked is left alone.
create function app.collect_blobs(batch integer) returns table (tenant_id uuid, storage_key uuid)
  language sql volatile security definer set search_path = ''
  begin atomic
    with due as materialized (
      select blob.tenant_id, blob.sha256 from app.blob
      where blob.unreferenced_at < now() - interval '24 hours'
      limit batch for update skip locked)
    delete from app.blob using due
    where blob.tenant_id = due.tenant_id and blob.sha256 = due.sha256
    returning blob.tenant_id, blob.storage_key;
  end;
create policy collect on app.blob to svc_owner using (unreferenced_at < now() - interval '24 hours');

-- Which of these objects no row knows. Whether their tenants are of this database is asked of the directory: a store that
-- was shared with another one by mistake must not be emptied.
create function app.unknown_blobs(tenant_ids uuid[], storage_keys uuid[])
  returns table (tenant_id uuid, storage_key uuid)
  language sql stable security definer set search_path = ''
  begin atomic
    select named.tenant_id, named.storage_key from unnest(tenant_ids, storage_keys) as named (tenant_id, storage_key)
    where not exists (
      select from app.blob where blob.tenant_id = named.tenant_id and blob.storage_key = named.storage_key);
  end;
create policy recognise on app.blob for select to svc_owner using (true);

create function control.known_tenants(tenant_ids uuid[]) returns setof uuid
  language sql stable security definer set search_path = ''
  begin atomic
    select tenant.tenant_id from control.tenant where tenant.tenant_id = any (tenant_ids);
  end;

revoke all on function app.collect_blobs, app.unknown_blobs, control.known_tenants from public;
grant execute on function app.collect_blobs, app.unknown_blobs, control.known_tenants to svc_worker;
