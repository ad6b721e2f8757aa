-- What administrators decide for the whole tenant. No row means the defaults.
create table app.tenant_setting (
  tenant_id uuid not null primary key,
  -- Who may create workspaces: people who are in one, administrators only, or every account.
  workspace_creation text not null default 'members'
    check (workspace_creation in ('members', 'administrators', 'everyone')),
  version integer not null default 1
);
call app.police('app.tenant_setting');
grant select, insert, update on app.tenant_setting to svc_app;
