-- Shared access lists. A scope is a list of entries; a node or collection points at the nearest scope above it, so that
-- granting or revoking is one row, whatever lies below. A workspace's own scope has the workspace's id: being a member
-- of a workspace is having an entry there.

create table app.group_member (
  tenant_id uuid not null,
  group_id uuid not null,
  principal_id uuid not null,
  primary key (tenant_id, group_id, principal_id),
  foreign key (tenant_id, group_id) references app.principal (tenant_id, id) on delete cascade,
  foreign key (tenant_id, principal_id) references app.principal (tenant_id, id) on delete cascade
);
create index group_member_by_principal on app.group_member (tenant_id, principal_id, group_id);

create table app.acl_scope (
  tenant_id uuid not null,
  id uuid not null default uuidv7(),
  workspace_id uuid not null,
  -- The scope that it hangs below; null for the workspace's own.
  parent_id uuid,
  -- Whether the entries of the scope above count here too.
  inherits boolean not null default true,
  -- The node or collection that the list was made for; the workspace for its own.
  anchor_id uuid not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, workspace_id) references app.workspace (tenant_id, id) on delete cascade,
  foreign key (tenant_id, parent_id) references app.acl_scope (tenant_id, id) on delete cascade
);
create unique index acl_scope_by_anchor on app.acl_scope (tenant_id, anchor_id);
create index acl_scope_by_workspace on app.acl_scope (tenant_id, workspace_id);
create index acl_scope_by_parent on app.acl_scope (tenant_id, parent_id);

-- Memberships become the entries of their workspace's scope. The owner sees rows only while they are not forced on it.
alter table app.workspace no force row level security;
alter table app.membership no force row level security;
insert into app.acl_scope (tenant_id, id, workspace_id, anchor_id) select tenant_id, id, id, id from app.workspace;
alter table app.membership rename to acl_entry;
alter table app.acl_entry rename column workspace_id to scope_id;
alter table app.acl_entry drop constraint membership_tenant_id_workspace_id_fkey;
-- No foreign key to principal: an entry whose principal is the workspace itself is for everyone in it.
alter table app.acl_entry drop constraint membership_tenant_id_principal_id_fkey;
alter table app.acl_entry add foreign key (tenant_id, scope_id) references app.acl_scope (tenant_id, id) on delete cascade;
alter table app.acl_entry rename constraint membership_pkey to acl_entry_pkey;
alter index app.membership_by_principal rename to acl_entry_by_principal;
alter table app.workspace force row level security;
alter table app.acl_entry force row level security;

call app.police('app.group_member');
call app.police('app.acl_scope');

grant select, insert, delete on app.group_member to svc_app;
grant select, insert, update, delete on app.acl_scope to svc_app;
grant select on app.group_member, app.acl_scope to svc_worker;
