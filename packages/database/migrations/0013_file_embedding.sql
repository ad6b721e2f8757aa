-- Search by meaning: a vector for each chunk of a file's text. It stands on the shelf of its tenant's documents, and knows
-- the place of its file's document, so that who may find a vector is decided in the index query as for words.
create table app.file_embedding (
  tenant_id uuid not null,
  shelf_id smallint not null,
  node_id uuid not null,
  -- Vectors of different models are never compared.
  model text not null,
  chunk integer not null,
  -- Of the content that was embedded.
  content_version integer not null,
  -- As the file's document has it. Null while there is none: the file is in the trash.
  place_id uuid,
  -- In characters of the file's text.
  start_at integer not null,
  length integer not null,
  -- Of what was embedded: the same text under the same model is not paid for again.
  text_hash bytea not null check (length(text_hash) = 32),
  embedding halfvec(768) not null,
  primary key (tenant_id, shelf_id, node_id, model, chunk),
  foreign key (tenant_id, node_id) references app.node (tenant_id, id) on delete cascade
) partition by list (shelf_id);
-- With the shelf, which a statement names: so the chunks that somebody sees are counted without reading their rows.
create index file_embedding_by_place on app.file_embedding (tenant_id, shelf_id, place_id, model);
create index file_embedding_by_text on app.file_embedding (tenant_id, model, text_hash);
-- As pgvector makes it by itself (16, 64), it found 97 of 100 where this finds 99 (ADR 27).
create index file_embedding_by_meaning on app.file_embedding using hnsw (embedding halfvec_cosine_ops)
  with (m = 24, ef_construction = 128);
call app.police('app.file_embedding');
do $$
begin
  for shelf in 0..47 loop
    execute format('create table app.file_embedding_%s partition of app.file_embedding for values in (%s)', shelf, shelf);
    execute format('call app.police(%L)', format('app.file_embedding_%s', shelf));
  end loop;
end $$;
grant select, update on app.file_embedding to svc_app;
grant select, insert, update, delete on app.file_embedding to svc_worker;

-- Answers of a model that are not yet where they belong, so that who is killed pays nothing twice; and those to queries,
-- which are asked again and again.
create table app.embedding_result (
  tenant_id uuid not null,
  model text not null,
  purpose text not null check (purpose in ('document', 'query')),
  text_hash bytea not null check (length(text_hash) = 32),
  embedding halfvec(768) not null,
  expires_at timestamptz not null,
  primary key (tenant_id, model, purpose, text_hash)
);
create index embedding_result_by_expiry on app.embedding_result (expires_at);
call app.police('app.embedding_result');
grant select, insert, update on app.embedding_result to svc_app;
grant select, insert, update, delete on app.embedding_result to svc_worker;

-- What whoever works on an entry has come to.
alter table app.embedding_index_queue_entry
  -- How much it is wanted: a file that people open comes before one that nobody does.
  add column value integer not null default 0,
  add column lease_id uuid,
  add column leased_until timestamptz,
  add column attempts integer not null default 0,
  add column not_before timestamptz,
  -- How it failed last.
  add column failure text,
  -- There was no money for it; the next run tries again.
  add column lacks_budget boolean not null default false,
  -- The content that is given up: who changes it enqueues it, which leaves this row as it is, and it is tried again.
  add column parked_version integer;
grant update on app.embedding_index_queue_entry to svc_app;
grant select, update, delete on app.embedding_index_queue_entry to svc_worker;

-- What an administrator decided. No row: what the deployment says.
create table app.embedding_setting (
  tenant_id uuid not null primary key,
  -- Five fields, UTC. Null: as the deployment says.
  cron text,
  -- Whose vectors answer. It is written down at the first run, so that another default changes no tenant's model.
  model text,
  -- Embedded beside it, until somebody switches.
  next_model text,
  -- What was switched from: to go back to, until its vectors are dropped.
  previous_model text,
  previous_until timestamptz,
  version integer not null default 1,
  check (next_model is distinct from model or model is null)
);
create index embedding_setting_to_drop on app.embedding_setting (previous_until) where previous_until is not null;
call app.police('app.embedding_setting');
grant select, insert, update on app.embedding_setting to svc_app, svc_worker;

-- The run of a tenant: the one that is going on, or the last one, and when the next begins.
create table app.embedding_run (
  tenant_id uuid not null primary key,
  -- Null: whoever runs them, who knows the schedule, has yet to say.
  next_run_at timestamptz,
  -- Files that were enqueued before it are in it. Null: none is going on.
  started_at timestamptz,
  -- Who waited longest comes first.
  touched_at timestamptz not null default now(),
  operation_id uuid,
  total integer not null default 0,
  done integer not null default 0,
  failed integer not null default 0,
  last_started_at timestamptz,
  last_ended_at timestamptz,
  last_outcome text check (last_outcome in ('done', 'lacks_budget', 'no_embedder'))
);
create index embedding_run_due on app.embedding_run (next_run_at nulls first);
create index embedding_run_going on app.embedding_run (touched_at) where started_at is not null;
call app.police('app.embedding_run');
grant select, insert, update on app.embedding_run to svc_app, svc_worker;
create policy claim on app.embedding_run to svc_owner using (true) with check (true);
insert into app.embedding_run (tenant_id)
select distinct tenant_id from app.workspace where semantic_search_enabled;

-- Workspaces that no longer want it: their vectors go when the time is over, unless somebody changes his mind.
create table app.embedding_opt_out (
  tenant_id uuid not null,
  workspace_id uuid not null,
  drop_at timestamptz not null,
  primary key (tenant_id, workspace_id),
  foreign key (tenant_id, workspace_id) references app.workspace (tenant_id, id) on delete cascade
);
create index embedding_opt_out_due on app.embedding_opt_out (drop_at);
call app.police('app.embedding_opt_out');
grant select, insert, update, delete on app.embedding_opt_out to svc_app;
grant select, delete on app.embedding_opt_out to svc_worker;

-- Runs that are to begin or to be planned, in any tenant of the cell.
create function app.due_embedding_runs(at timestamptz, batch integer) returns setof uuid
  language sql stable security definer set search_path = ''
  begin atomic
    select run.tenant_id from app.embedding_run as run
    where run.next_run_at is null or (run.started_at is null and run.next_run_at <= at)
    order by run.next_run_at nulls first limit batch;
  end;
-- The tenant whose run waited longest for a turn. Others may have theirs at the same time, and the same tenant's too.
create function app.claim_embedding_turn(at timestamptz) returns setof uuid
  language sql volatile security definer set search_path = ''
  begin atomic
    with next as materialized (
      select run.tenant_id from app.embedding_run as run
      where run.started_at is not null and run.touched_at < at
      order by run.touched_at limit 1 for update skip locked)
    update app.embedding_run as run set touched_at = at from next where run.tenant_id = next.tenant_id
    returning run.tenant_id;
  end;
create function app.due_embedding_opt_outs(at timestamptz, batch integer) returns table (tenant_id uuid, workspace_id uuid)
  language sql stable security definer set search_path = ''
  begin atomic
    select opt_out.tenant_id, opt_out.workspace_id from app.embedding_opt_out as opt_out
    where opt_out.drop_at <= at order by opt_out.drop_at limit batch;
  end;
create policy recognise on app.embedding_opt_out for select to svc_owner using (true);
create function app.due_model_drops(at timestamptz, batch integer) returns setof uuid
  language sql stable security definer set search_path = ''
  begin atomic
    select setting.tenant_id from app.embedding_setting as setting
    where setting.previous_until <= at order by setting.previous_until limit batch;
  end;
create policy recognise on app.embedding_setting for select to svc_owner using (true);
-- The version of a file's content, which stays until the transaction ends: the worker may hold a file, not change it.
create function app.hold_content(node uuid) returns integer
  language sql volatile security definer set search_path = ''
  begin atomic
    select held.content_version from app.node as held
    where held.tenant_id = app.current_tenant() and held.id = node for share;
  end;
create policy hold on app.node to svc_owner using (tenant_id = (select app.current_tenant())) with check (false);
revoke all on function
  app.due_embedding_runs, app.claim_embedding_turn, app.due_embedding_opt_outs, app.due_model_drops,
  app.hold_content from public;
grant execute on function
  app.due_embedding_runs, app.claim_embedding_turn, app.due_embedding_opt_outs, app.due_model_drops,
  app.hold_content to svc_worker;

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
  swept := swept + removed;
  delete from app.embedding_result where (tenant_id, model, purpose, text_hash) in (
    select tenant_id, model, purpose, text_hash from app.embedding_result where expires_at < now()
    limit batch for update skip locked);
  get diagnostics removed = row_count;
  return swept + removed;
end $$;
create policy sweep on app.embedding_result to svc_owner using (expires_at < now());
