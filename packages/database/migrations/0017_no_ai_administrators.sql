-- Only people and service accounts administrate a tenant. Rows are hidden from their owner while policies are forced.
alter table app.principal no force row level security;
update app.principal set is_administrator = false, version = version + 1
where is_administrator and kind not in ('user', 'service');
alter table app.principal force row level security;
alter table app.principal add constraint principal_administrator_kind
  check (not is_administrator or kind in ('user', 'service'));
