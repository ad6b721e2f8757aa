-- Dedicated shelves are created when they are needed, freed when a tenant shrinks, and a tenant that fills one gets another.
--
-- A divided tenant keeps its documents where they are, and writes to the newest of its shelves (moving_to). Processes of the
-- version before take that for a move, and are right as long as none of its shelves is full.
alter table app.search_shelf
  add column is_divided boolean not null default false,
  add column full_shelves smallint[] not null default '{}';

-- A dedicated shelf that nobody uses, or a new one. Attached, because creating it in place would lock everybody out.
create function app.take_search_shelf() returns smallint
  language plpgsql volatile security definer set search_path = '' as $$
declare
  known smallint[];
  free smallint;
begin
  perform pg_advisory_xact_lock(hashtext('app.begin_shelf_move'));
  select array_agg(substring(child.relname from '[0-9]+$')::smallint) into known
  from pg_inherits join pg_class as child on child.oid = inhrelid where inhparent = 'app.search_document'::regclass;
  select min(own) into free from unnest(known) as own
  where own >= 32 and not exists (
    select from app.search_shelf as shelf
    where own = any (shelf.full_shelves || array[shelf.shelf_id, shelf.moving_to]));
  if free is not null then return free; end if;
  select max(own) + 1 into free from unnest(known) as own;
  execute format('create table app.search_document_%s (like app.search_document including all)'
    ' with (toast_tuple_target = 8160)', free);
  execute format('create index search_document_%s_by_word on app.search_document_%s using gin (name_tsv, body_tsv)'
    ' with (fastupdate = on, gin_pending_list_limit = 65536)', free, free);
  execute format('create index search_document_%s_by_name on app.search_document_%s using gin (whole_name public.gin_trgm_ops)'
    ' with (fastupdate = on, gin_pending_list_limit = 65536)', free, free);
  execute format('call app.police(%L)', format('app.search_document_%s', free));
  execute format('create table app.file_embedding_%s (like app.file_embedding including all)', free);
  execute format('call app.police(%L)', format('app.file_embedding_%s', free));
  execute format('alter table app.search_document attach partition app.search_document_%s for values in (%s)', free, free);
  execute format('alter table app.file_embedding attach partition app.file_embedding_%s for values in (%s)', free, free);
  return free;
end $$;

-- Begins a move to a dedicated shelf, or answers with the one that has begun; null if the tenant has its own. The change waits
-- for everybody who writes by the shelf as it was.
create or replace function app.begin_shelf_move(tenant uuid, home smallint) returns smallint
  language plpgsql volatile security definer set search_path = '' as $$
declare
  free smallint;
  known app.search_shelf;
begin
  perform pg_advisory_xact_lock(hashtext('app.begin_shelf_move'));
  insert into app.search_shelf (tenant_id, shelf_id) values (tenant, home) on conflict do nothing;
  select * into known from app.search_shelf where tenant_id = tenant for update;
  if known.is_divided then return null; end if;
  if known.moving_to is not null then return known.moving_to; end if;
  if known.shelf_id >= 32 then return null; end if;
  free := app.take_search_shelf();
  update app.search_shelf set moving_to = free where tenant_id = tenant;
  return free;
end $$;

-- Begins a move back to the shared shelf, so that the tenant's own are free again.
create function app.begin_shelf_return(tenant uuid, home smallint) returns smallint
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update app.search_shelf
  set moving_to = home, is_divided = false,
    full_shelves = case when is_divided then full_shelves || moving_to else full_shelves end
  where tenant_id = tenant and shelf_id >= 32 and (moving_to is null or is_divided);
  return home;
end $$;

-- Gives a tenant whose newest shelf is full another one for what is written from now on.
create function app.divide_search_shelf(tenant uuid) returns smallint
  language plpgsql volatile security definer set search_path = '' as $$
declare
  free smallint := app.take_search_shelf();
begin
  update app.search_shelf
  set moving_to = free, is_divided = true,
    full_shelves = case when is_divided then full_shelves || moving_to else full_shelves end
  where tenant_id = tenant and shelf_id >= 32 and (moving_to is null or is_divided);
  return free;
end $$;

-- What should change, by the counters: tenants that outgrew their shared shelf, or shrank to less than half of that, or filled
-- their newest shelf. First those whose documents are on the way.
create function app.shelf_changes_due(documents integer, most integer, batch integer)
  returns table (tenant_id uuid, change text)
  language sql stable security definer set search_path = ''
  begin atomic
    with counted as (
      select count.tenant_id, sum(count.documents) as documents,
        coalesce(shelf.shelf_id, 0) as shelf_id, shelf.moving_to, coalesce(shelf.is_divided, false) as is_divided,
        sum(count.documents) filter (where count.shelf_id = coalesce(shelf.moving_to, shelf.shelf_id)) as newest
      from (
        select known.tenant_id, known.shelf_id, known.documents from app.search_shelf_count as known
        union all
        select delta.tenant_id, delta.shelf_id, delta.documents from app.search_place_delta as delta) as count
      left join app.search_shelf as shelf on shelf.tenant_id = count.tenant_id
      group by count.tenant_id, shelf.tenant_id, shelf.shelf_id, shelf.moving_to, shelf.is_divided)
    select counted.tenant_id, due.change from counted
    cross join lateral (
      select case
        when counted.moving_to is not null and not counted.is_divided then 'move'
        when counted.shelf_id < 32 and counted.documents > shelf_changes_due.documents then 'move'
        when counted.shelf_id >= 32 and counted.documents < shelf_changes_due.documents / 2 then 'return'
        when counted.shelf_id >= 32 and counted.newest > most then 'divide' end as change) as due
    where due.change is not null
    order by counted.moving_to is not null and not counted.is_divided desc, counted.documents desc limit batch;
  end;

-- Workers of the version before ask this one.
create or replace function app.tenants_to_promote(documents integer, batch integer) returns setof uuid
  language sql stable security definer set search_path = ''
  begin atomic
    select due.tenant_id from app.shelf_changes_due(documents, 2147483647, batch) as due where due.change = 'move';
  end;

create or replace function app.relieve_search_shelves() returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  shelf smallint;
begin
  for shelf in
    select due from app.search_shelves_to_merge(2) as due where due in (
      select unnest(full_shelves || array[shelf_id, moving_to]) from app.search_shelf
      where tenant_id = (select app.current_tenant()))
  loop
    perform app.merge_search_shelf(shelf);
  end loop;
end $$;

revoke all on function app.take_search_shelf, app.begin_shelf_return, app.divide_search_shelf, app.shelf_changes_due from public;
grant execute on function app.begin_shelf_return, app.divide_search_shelf, app.shelf_changes_due to svc_worker;
