-- Two schemas that never reference each other by foreign key, so that they can live in different databases later.
-- Everything here is owned by svc_owner; svc_app and svc_worker own nothing and cannot bypass row security.

create schema control authorization svc_owner;
create schema app authorization svc_owner;

grant usage on schema control, app to svc_app, svc_worker;

-- The tenant of this transaction. Unset (NULL) and left over from an earlier one ('' after COMMIT) both mean: nobody.
create function app.current_tenant() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.tenant_id', true), '')::uuid;

-- Called by each migration for every table that holds a tenant's rows. The permissive policy admits the roles, the
-- restrictive one limits them to the transaction's tenant; an unset tenant sees no row and writes none.
-- The scalar subselect is evaluated once a statement, so an index on tenant_id serves it.
create procedure app.police(target regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy admit on %s to svc_app, svc_worker using (true) with check (true)', target);
  execute format(
    'create policy tenant_only on %s as restrictive to svc_app, svc_worker'
    ' using (tenant_id = (select app.current_tenant())) with check (tenant_id = (select app.current_tenant()))',
    target);
end $$;
