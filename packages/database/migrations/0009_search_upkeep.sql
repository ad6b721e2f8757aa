-- What keeps the index of search right after the fact: indexing again, moving a big tenant to a shelf of its own, and
-- what people looked for in vain.

-- An operation whose work goes on after it was answered. What brings nothing back has no undo.
alter table app.operation alter undo_payload drop not null;

-- How far such work is, whoever does it: who shows it needs to know nothing of the work.
create table app.operation_progress (
  tenant_id uuid not null,
  operation_id uuid not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  done integer not null default 0,
  total integer not null,
  -- What is counted: documents.
  unit text not null,
  note text,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, operation_id),
  foreign key (tenant_id, operation_id) references app.operation (tenant_id, id)
);
call app.police('app.operation_progress');
grant select, insert on app.operation_progress to svc_app;
grant select, update on app.operation_progress to svc_worker;

-- Indexing again: everything, a workspace, or a folder and what is below it.
create table app.search_reindex (
  tenant_id uuid not null,
  id uuid not null default uuidv7(),
  workspace_id uuid,
  folder_id uuid,
  -- Absent where nobody asked for it: a new analyser, or content from before there was search.
  operation_id uuid,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  -- Where it is: the source whose documents are being indexed (null: the places come first), and the last of them.
  source text,
  last_id uuid,
  done integer not null default 0,
  total integer not null,
  skipped integer not null default 0,
  failure text,
  -- Whose turn it is, and until when if he is not heard of again.
  lease_id uuid,
  leased_until timestamptz,
  -- Of its last batch: who waited longest comes first.
  touched_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (tenant_id, id),
  check (folder_id is null or workspace_id is not null),
  check ((ended_at is null) = (state in ('waiting', 'running')))
);
-- One at a time for a scope: who asks for another gets this one.
create unique index search_reindex_of_scope on app.search_reindex (tenant_id, workspace_id, folder_id) nulls not distinct
  where ended_at is null;
create index search_reindex_open on app.search_reindex (touched_at) where ended_at is null;
call app.police('app.search_reindex');
grant select, insert, update on app.search_reindex to svc_app, svc_worker;

-- The turn of whoever waited longest, for any tenant of the cell. One that is being worked on is left alone.
create function app.claim_search_reindex(lease_id uuid, lease interval)
  returns table (tenant_id uuid, id uuid)
  language sql volatile security definer set search_path = ''
  begin atomic
    -- Materialized: joined as it is, it may be asked again for every row, and each time another one is the next.
    with next as materialized (
      select open.tenant_id, open.id from app.search_reindex as open
      where open.ended_at is null and (open.leased_until is null or open.leased_until < now())
      order by open.touched_at limit 1 for update skip locked)
    update app.search_reindex as reindex
    set state = 'running', lease_id = claim_search_reindex.lease_id, leased_until = now() + lease
    from next
    where reindex.tenant_id = next.tenant_id and reindex.id = next.id
    returning reindex.tenant_id, reindex.id;
  end;
create policy claim on app.search_reindex to svc_owner using (ended_at is null);

-- Tenants whose index is of another analyser, or that have a workspace from before there was search. One that failed
-- within a day is left alone: it would fail again.
create function app.tenants_to_reindex(analyser smallint, batch integer) returns setof uuid
  language sql stable security definer set search_path = ''
  begin atomic
    select stale.tenant_id from (
      select document.tenant_id from app.search_document as document
      where document.analyser_version < analyser or document.analyser_version > analyser
      union
      select workspace.tenant_id from app.workspace as workspace
      where not exists (
        select from app.search_place as place
        where place.tenant_id = workspace.tenant_id and place.id = workspace.id)) as stale
    where not exists (
      select from app.search_reindex as reindex
      where reindex.tenant_id = stale.tenant_id and reindex.workspace_id is null
        and (reindex.ended_at is null or reindex.state = 'failed' and reindex.ended_at > now() - interval '1 day'))
    limit batch;
  end;
create policy recognise on app.search_reindex for select to svc_owner using (true);
create policy recognise on app.workspace for select to svc_owner using (true);
create policy recognise on app.search_place for select to svc_owner using (true);
create index search_document_by_analyser on app.search_document (analyser_version, tenant_id);

-- Tenants that have outgrown a shared shelf, and first those that are on the way already.
create function app.tenants_to_promote(documents integer, batch integer) returns setof uuid
  language sql stable security definer set search_path = ''
  begin atomic
    select tenant_id from (
      select shelf.tenant_id, 0 as turn from app.search_shelf as shelf where shelf.moving_to is not null
      union all
      select document.tenant_id, 1 from app.search_document as document
      where document.shelf_id < 32
      group by document.tenant_id having count(*) > documents) as candidate
    group by tenant_id order by min(turn) limit batch;
  end;
-- Begins a move to a shelf that is nobody's, or answers with the one that has begun; null where none is free, or it has
-- its own. The change waits for everybody who writes by the shelf as it was.
create function app.begin_shelf_move(tenant uuid, home smallint) returns smallint
  language plpgsql volatile security definer set search_path = '' as $$
declare
  free smallint;
  known app.search_shelf;
begin
  perform pg_advisory_xact_lock(hashtext('app.begin_shelf_move'));
  insert into app.search_shelf (tenant_id, shelf_id) values (tenant, home) on conflict do nothing;
  select * into known from app.search_shelf where tenant_id = tenant for update;
  if known.moving_to is not null then return known.moving_to; end if;
  if known.shelf_id >= 32 then return null; end if;
  select own into free from generate_series(32, 47) as own
  where not exists (select from app.search_shelf where own in (shelf_id, moving_to)) order by own limit 1;
  update app.search_shelf set moving_to = free where tenant_id = tenant;
  return free;
end $$;
create policy assign on app.search_shelf to svc_owner using (true) with check (true);

-- What was looked for, and how much was found.
create table app.search_query (
  tenant_id uuid not null,
  id uuid not null default uuidv7(),
  actor_id uuid not null,
  query text not null,
  -- As it is counted: in lower case, without what separates words.
  normalised text not null,
  hits integer not null,
  at timestamptz not null,
  primary key (tenant_id, id)
);
create index search_query_by_actor on app.search_query (tenant_id, actor_id, at);
create index search_query_by_time on app.search_query (at);
call app.police('app.search_query');
grant select, insert, delete on app.search_query to svc_app;

-- Who wants no log of what is looked for: a person for himself, an administrator for the tenant (the row without actor).
create table app.search_log_refusal (
  tenant_id uuid not null,
  actor_id uuid,
  unique nulls not distinct (tenant_id, actor_id)
);
call app.police('app.search_log_refusal');
grant select, insert, delete on app.search_log_refusal to svc_app;

create or replace function app.sweep_expired(batch integer) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  swept integer;
  removed integer;
begin
  delete from app.idempotency where (tenant_id, actor_id, key_hash) in (
    select tenant_id, actor_id, key_hash from app.idempotency where expires_at < now()
    limit batch for update skip locked);
  get diagnostics swept = row_count;
  delete from app.preview where (tenant_id, token_hash) in (
    select tenant_id, token_hash from app.preview where expires_at < now()
    limit batch for update skip locked);
  get diagnostics removed = row_count;
  swept := swept + removed;
  delete from app.search_query where (tenant_id, id) in (
    select tenant_id, id from app.search_query where at < now() - interval '90 days'
    limit batch for update skip locked);
  get diagnostics removed = row_count;
  return swept + removed;
end $$;
create policy sweep on app.search_query to svc_owner using (at < now() - interval '90 days');

revoke all on function app.claim_search_reindex, app.tenants_to_reindex, app.tenants_to_promote, app.begin_shelf_move
  from public;
grant execute on function app.claim_search_reindex, app.tenants_to_reindex, app.tenants_to_promote, app.begin_shelf_move
  to svc_worker;
