create table app.principal (
  tenant_id uuid not null,
  id uuid not null default uuidv7(),
  kind text not null check (kind in ('user', 'service', 'ai', 'group')),
  name text not null,
  email text,
  is_administrator boolean not null default false,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  version integer not null default 1,
  primary key (tenant_id, id)
);
create unique index principal_by_email on app.principal (tenant_id, lower(email)) where email is not null;

create table app.workspace (
  tenant_id uuid not null,
  id uuid not null default uuidv7(),
  name text not null,
  slug text not null,
  semantic_search_enabled boolean not null default false,
  created_at timestamptz not null default now(),
  trashed_at timestamptz,
  version integer not null default 1,
  primary key (tenant_id, id)
);
-- Lists are read in this order; a trashed workspace gives its slug free.
create unique index workspace_by_slug on app.workspace (tenant_id, slug) where trashed_at is null;

create table app.membership (
  tenant_id uuid not null,
  workspace_id uuid not null,
  principal_id uuid not null,
  role text not null check (role in ('owner', 'editor', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (tenant_id, workspace_id, principal_id),
  foreign key (tenant_id, workspace_id) references app.workspace (tenant_id, id) on delete cascade,
  foreign key (tenant_id, principal_id) references app.principal (tenant_id, id) on delete cascade
);
create index membership_by_principal on app.membership (tenant_id, principal_id, workspace_id);

call app.police('app.principal');
call app.police('app.workspace');
call app.police('app.membership');

grant select, insert, update on app.principal, app.workspace to svc_app;
grant select, insert, update, delete on app.membership to svc_app;
grant select on app.principal, app.workspace, app.membership to svc_worker;
