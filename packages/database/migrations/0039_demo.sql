-- The public demo: one tenant that anybody may search for two hours at a time.
--
-- The mark. What visitors can see is what this group can see.
create table app.demo (
  tenant_id uuid primary key,
  visitors_group_id uuid not null,
  created_at timestamptz not null default now()
);
call app.police('app.demo');
grant select on app.demo to svc_app;

-- A visitor: a principal of the demo tenant with a workspace that nobody else sees, until it expires.
create table app.demo_visitor (
  tenant_id uuid not null,
  id uuid not null,
  secret_hash bytea not null check (length(secret_hash) = 32),
  workspace_id uuid not null,
  files integer not null default 0 check (files between 0 and 5),
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, secret_hash)
);
create index demo_visitor_by_expiry on app.demo_visitor (expires_at);
call app.police('app.demo_visitor');
grant select, insert, update on app.demo_visitor to svc_app;

create policy recognise on app.demo for select to svc_owner using (true);
create policy recognise on app.demo_visitor to svc_owner using (true);

-- Asked before there is a tenant: configuration says whether there is a demo, the mark says where.
create function app.find_demo() returns table (tenant_id uuid, visitors_group_id uuid)
  language sql stable security definer set search_path = ''
  begin atomic
    select demo.tenant_id, demo.visitors_group_id from app.demo order by demo.created_at, demo.tenant_id limit 1;
  end;

create function app.expired_demo_visitors(batch integer) returns table (tenant_id uuid, id uuid, workspace_id uuid)
  language sql stable security definer set search_path = ''
  begin atomic
    select visitor.tenant_id, visitor.id, visitor.workspace_id from app.demo_visitor as visitor
    where visitor.expires_at < now() order by visitor.expires_at limit batch;
  end;

-- The transaction's tenant, if it is a demo.
create function app.demo_tenant() returns uuid
  language sql stable set search_path = ''
  begin atomic
    select demo.tenant_id from app.demo where demo.tenant_id = (select app.current_tenant());
  end;

-- Removes everything of one expired visitor but audit entries, which have none of their text; returns the storage keys
-- of contents that nobody else has. Whoever puts such a content meanwhile waits, and then adopts the object that it
-- wrote itself. An upload that is still running holds the workspace, or finds it gone.
create function app.remove_demo_visitor(visitor uuid) returns setof uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  tenant constant uuid := app.demo_tenant();
  own uuid;
begin
  select workspace_id into own from app.demo_visitor
  where tenant_id = tenant and id = visitor and expires_at < now() for update;
  if not found then return; end if;
  perform from app.workspace where tenant_id = tenant and id = own for update;

  with held as materialized (
    select version.sha256, count(*) as times from app.node_version as version
    join app.node as node on node.tenant_id = tenant and node.id = version.node_id
    where version.tenant_id = tenant and node.workspace_id = own group by version.sha256),
  locked as materialized (
    select blob.sha256 from app.blob where blob.tenant_id = tenant and blob.sha256 in (select sha256 from held)
    order by blob.sha256 for update)
  update app.blob set reference_count = blob.reference_count - held.times,
    unreferenced_at = case when blob.reference_count = held.times then now() end
  from held join locked using (sha256)
  where blob.tenant_id = tenant and blob.sha256 = held.sha256;
  return query
    delete from app.blob where blob.tenant_id = tenant and blob.reference_count = 0 and blob.sha256 in (
      select version.sha256 from app.node_version as version
      join app.node as node on node.tenant_id = tenant and node.id = version.node_id
      where version.tenant_id = tenant and node.workspace_id = own)
    returning blob.storage_key;

  delete from app.last_change where tenant_id = tenant and (
    changed_by = visitor or subject_id in (visitor, own)
    or subject_id in (select id from app.node where tenant_id = tenant and workspace_id = own));
  -- With its lists, nodes, versions, texts, queue entries and vectors.
  delete from app.workspace where tenant_id = tenant and id = own;
  delete from app.acl_entry where tenant_id = tenant and principal_id = visitor;
  delete from app.operation_progress where tenant_id = tenant and operation_id in (
    select id from app.operation where tenant_id = tenant and actor_id = visitor);
  delete from app.operation where tenant_id = tenant and actor_id = visitor;
  delete from app.idempotency where tenant_id = tenant and actor_id = visitor;
  delete from app.preview where tenant_id = tenant and actor_id = visitor;
  delete from app.page_cursor where tenant_id = tenant and actor_id = visitor;
  delete from app.search_query where tenant_id = tenant and actor_id = visitor;
  delete from app.principal where tenant_id = tenant and id = visitor;
  delete from app.demo_visitor where tenant_id = tenant and id = visitor;
end $$;

-- svc_owner, as which the function runs, gets to these rows in a transaction of the demo's tenant only.
do $$
declare
  target text;
begin
  foreach target in array array[
    'acl_entry', 'blob', 'idempotency', 'last_change', 'node', 'node_version', 'operation', 'operation_progress',
    'page_cursor', 'preview', 'principal', 'search_query', 'workspace']
  loop
    execute format(
      'create policy demo on app.%I to svc_owner using (tenant_id = (select app.demo_tenant()))', target);
  end loop;
end $$;

revoke all on function app.find_demo, app.expired_demo_visitors, app.demo_tenant, app.remove_demo_visitor from public;
grant execute on function app.find_demo to svc_app;
grant execute on function app.expired_demo_visitors, app.remove_demo_visitor to svc_worker;
