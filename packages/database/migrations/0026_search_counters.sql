-- Statistics and writes of search that do not grow.
--
-- How many documents a place has, and how long they are together: a search adds up places instead of counting documents.
-- Writers append what they changed and wait for nobody; the worker adds it up. A reader takes both, so that adding up
-- changes nobody's answer.
create table app.search_place_count (
  tenant_id uuid not null,
  place_id uuid not null,
  documents bigint not null,
  length bigint not null,
  primary key (tenant_id, place_id)
);
-- Of each tenant on each shelf.
create table app.search_shelf_count (
  tenant_id uuid not null,
  shelf_id smallint not null,
  documents bigint not null,
  primary key (tenant_id, shelf_id)
);
create table app.search_place_delta (
  tenant_id uuid not null,
  id uuid not null default uuidv7(),
  shelf_id smallint not null,
  place_id uuid not null,
  documents bigint not null,
  length bigint not null,
  -- Documents of this shelf that were written, and the words in them: so much waits in the pending lists of its indexes.
  written integer not null,
  words bigint not null,
  at timestamptz not null default now(),
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
call app.police('app.search_place_count');
call app.police('app.search_shelf_count');
call app.police('app.search_place_delta');
create policy count on app.search_place_count to svc_owner using (true) with check (true);
create policy count on app.search_shelf_count to svc_owner using (true) with check (true);
create policy count on app.search_place_delta to svc_owner using (true) with check (true);
grant select on app.search_place_count, app.search_shelf_count, app.search_place_delta to svc_app, svc_worker;

-- By triggers, so that no writer can forget it, nor one of the version before.
create function app.note_documents() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    insert into app.search_place_delta (tenant_id, shelf_id, place_id, documents, length, written, words)
    select tenant_id, shelf_id, place_id, count(*), sum(body_length), count(*), sum(body_length)
    from present group by tenant_id, shelf_id, place_id;
  elsif tg_op = 'DELETE' then
    insert into app.search_place_delta (tenant_id, shelf_id, place_id, documents, length, written, words)
    select tenant_id, shelf_id, place_id, -count(*), -sum(body_length), 0, 0
    from past group by tenant_id, shelf_id, place_id;
  else
    insert into app.search_place_delta (tenant_id, shelf_id, place_id, documents, length, written, words)
    select tenant_id, shelf_id, place_id, sum(documents), sum(documents * body_length), sum(greatest(documents, 0)),
      sum(greatest(documents, 0) * body_length)
    from (
      select tenant_id, shelf_id, place_id, 1 as documents, body_length from present
      union all
      select tenant_id, shelf_id, place_id, -1, body_length from past) as changed
    group by tenant_id, shelf_id, place_id;
  end if;
  return null;
end $$;
create trigger note_inserted after insert on app.search_document
  referencing new table as present for each statement execute function app.note_documents();
create trigger note_updated after update on app.search_document
  referencing new table as present old table as past for each statement execute function app.note_documents();
create trigger note_deleted after delete on app.search_document
  referencing old table as past for each statement execute function app.note_documents();

-- New entries of an index wait in its pending list, which every search of the shelf reads, until somebody merges them:
-- sorted together they cost half the WAL. The worker does so long before a writer has to, which would take it a second.
do $$
begin
  for shelf in 0..47 loop
    execute format('alter index app.search_document_%s_by_word set (fastupdate = on, gin_pending_list_limit = 65536)', shelf);
    execute format('alter index app.search_document_%s_by_name set (fastupdate = on, gin_pending_list_limit = 65536)', shelf);
  end loop;
end $$;

-- Merges what is pending on a shelf and adds up its deltas. First adds up: what is added up was written before, so that
-- it is merged too. One at a time, because a tenant that moves has the same places on two shelves.
create function app.merge_search_shelf(shelf smallint) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  tenants uuid[];
  emptied uuid[];
begin
  perform pg_advisory_xact_lock(hashtext('app.merge_search_shelf'));
  with taken as materialized (
    delete from app.search_place_delta where shelf_id = shelf
    returning tenant_id, place_id, documents, length),
  by_place as (
    insert into app.search_place_count as known (tenant_id, place_id, documents, length)
    select tenant_id, place_id, sum(documents), sum(length) from taken group by tenant_id, place_id
    on conflict (tenant_id, place_id) do update
      set documents = known.documents + excluded.documents, length = known.length + excluded.length
    returning tenant_id, place_id, documents, length),
  by_shelf as (
    insert into app.search_shelf_count as known (tenant_id, shelf_id, documents)
    select tenant_id, shelf, sum(documents) from taken group by tenant_id
    on conflict (tenant_id, shelf_id) do update set documents = known.documents + excluded.documents)
  select array_agg(tenant_id), array_agg(place_id) into tenants, emptied
  from by_place where documents = 0 and length = 0;
  delete from app.search_place_count where (tenant_id, place_id) in (select * from unnest(tenants, emptied));
  perform gin_clean_pending_list(format('app.search_document_%s_by_word', shelf)::regclass);
  perform gin_clean_pending_list(format('app.search_document_%s_by_name', shelf)::regclass);
end $$;

-- Shelves that are due, the fullest first: every search reads what is pending, some 10 µs for each document. Statements
-- of many documents are imports and reindexing: merging more at once halves their WAL again. With more patience: shelves
-- that nobody takes care of.
create function app.search_shelves_to_merge(patience integer) returns setof smallint
  language sql stable security definer set search_path = ''
  begin atomic
    select shelf_id from app.search_place_delta group by shelf_id
    having sum(written) >= patience * case when max(written) > 20 then 1600 else 400 end
      or sum(words) >= patience * 400000
      or count(*) >= patience * 2000
      or min(at) < now() - patience * interval '30 seconds'
    order by sum(written) desc;
  end;

-- For writers, while no worker runs.
create function app.relieve_search_shelves() returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  shelf smallint;
begin
  for shelf in
    select due from app.search_shelves_to_merge(2) as due where due in (
      select unnest(array[shelf_id, moving_to]) from app.search_shelf where tenant_id = (select app.current_tenant()))
  loop
    perform app.merge_search_shelf(shelf);
  end loop;
end $$;

-- Counts a tenant's documents anew. Every writer holds the tenant's shelf, so it waits for them, and they for it.
create function app.count_search_documents(tenant uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into app.search_shelf (tenant_id, shelf_id)
  values (tenant, ('x' || right(tenant::text, 4))::bit(16)::integer % 32) on conflict do nothing;
  perform from app.search_shelf where tenant_id = tenant for update;
  perform pg_advisory_xact_lock(hashtext('app.merge_search_shelf'));
  delete from app.search_place_delta where tenant_id = tenant;
  delete from app.search_place_count where tenant_id = tenant;
  delete from app.search_shelf_count where tenant_id = tenant;
  insert into app.search_place_count (tenant_id, place_id, documents, length)
  select tenant, place_id, count(*), sum(body_length) from app.search_document where tenant_id = tenant group by place_id;
  insert into app.search_shelf_count (tenant_id, shelf_id, documents)
  select tenant, shelf_id, count(*) from app.search_document where tenant_id = tenant group by shelf_id;
end $$;

-- Tenant after tenant, each in its own transaction, so that nobody waits for more than one.
create procedure app.count_all_search_documents()
  language plpgsql as $$
declare
  tenant uuid;
begin
  for tenant in select distinct tenant_id from app.search_place loop
    perform app.count_search_documents(tenant);
    commit;
  end loop;
end $$;

revoke all on function app.note_documents, app.merge_search_shelf, app.search_shelves_to_merge, app.relieve_search_shelves,
  app.count_search_documents from public;
revoke all on procedure app.count_all_search_documents from public;
grant execute on function app.merge_search_shelf, app.search_shelves_to_merge to svc_worker;
grant execute on function app.relieve_search_shelves to svc_app;
