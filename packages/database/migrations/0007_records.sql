create table app.collection (
  tenant_id uuid not null,
  id uuid not null default uuidv7(),
  workspace_id uuid not null,
  name text not null,
  slug text not null,
  -- In the order in which people see them: [{ key, name, type, required, choices, target }]. Values are kept under the
  -- key, which never changes and is never used again: a rename touches no record, and a removed field can come back.
  fields jsonb not null,
  -- The key of the field that gives its records their titles.
  title_field text not null,
  acl_scope_id uuid not null,
  created_at timestamptz not null default now(),
  created_by uuid not null,
  trashed_at timestamptz,
  version integer not null default 1,
  primary key (tenant_id, id),
  foreign key (tenant_id, workspace_id) references app.workspace (tenant_id, id) on delete cascade,
  foreign key (tenant_id, acl_scope_id) references app.acl_scope (tenant_id, id)
);
create unique index collection_by_slug on app.collection (tenant_id, workspace_id, slug) where trashed_at is null;
create index collection_by_scope on app.collection (tenant_id, acl_scope_id);

-- Its rights are those of its collection; in the trash with it, too, whatever its own trashed_at says.
create table app.record (
  tenant_id uuid not null,
  id uuid not null default uuidv7(),
  collection_id uuid not null,
  title text not null,
  -- By the key of the field; what is empty is absent. Links and people are ids.
  fields jsonb not null,
  body text not null default '',
  -- The import that made it: what an undo brings back in one statement.
  import_id uuid,
  created_at timestamptz not null default now(),
  created_by uuid not null,
  updated_at timestamptz not null default now(),
  updated_by uuid not null,
  trashed_at timestamptz,
  version integer not null default 1,
  primary key (tenant_id, id),
  foreign key (tenant_id, collection_id) references app.collection (tenant_id, id) on delete cascade
);
create index record_by_collection on app.record (tenant_id, collection_id, id) where trashed_at is null;
create index record_in_trash on app.record (tenant_id, collection_id, id) where trashed_at is not null;
create index record_by_import on app.record (tenant_id, import_id) where import_id is not null;

call app.police('app.collection');
call app.police('app.record');

grant select, insert, update on app.collection, app.record to svc_app;
grant select on app.collection, app.record to svc_worker;
