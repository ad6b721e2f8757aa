-- What AI members may do only if a person approves exactly that.
create table app.approval (
  tenant_id uuid not null,
  id uuid not null,
  -- Where it comes from; `tool` and `question` come with locally spawned agents.
  origin text not null check (origin in ('command', 'tool', 'question')),
  actor_id uuid not null,
  asked_with text not null,
  in_session boolean not null,
  scopes text[] not null,
  token_hash bytea not null check (length(token_hash) = 32),
  command text not null,
  arguments jsonb not null,
  workspace text,
  -- Whose owners can decide. Only administrators can if there is none.
  workspace_ids uuid[] not null,
  shown text not null check (octet_length(shown) <= 4096),
  digest text not null,
  state text not null default 'pending'
    check (state in ('pending', 'approved', 'denied', 'answered', 'expired', 'withdrawn')),
  decided_by uuid,
  decided_at timestamptz,
  reason text check (length(reason) <= 1000),
  used_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, token_hash),
  check ((decided_by is null) = (decided_at is null)),
  check (used_at is null or state = 'approved')
);
create index approval_waiting on app.approval (tenant_id, expires_at) where state = 'pending';
create index approval_by_actor on app.approval (tenant_id, actor_id, id);
create index approval_by_expiry on app.approval (expires_at);
call app.police('app.approval');
grant select, insert on app.approval to svc_app;
grant update (state, decided_by, decided_at, reason, used_at, expires_at) on app.approval to svc_app;
-- The credential that got it, and whether in a session: a session's preview is not its person's.
alter table app.preview add column made_with text;
-- A preview lives as long as the question about it.
grant update (expires_at) on app.preview to svc_app;

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
  delete from app.page_cursor where (tenant_id, actor_id, code) in (
    select tenant_id, actor_id, code from app.page_cursor where expires_at < now()
    limit batch for update skip locked);
  get diagnostics removed = row_count;
  swept := swept + removed;
  delete from app.approval where (tenant_id, id) in (
    select tenant_id, id from app.approval where expires_at < now() - interval '30 days'
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
create policy sweep on app.approval to svc_owner using (expires_at < now() - interval '30 days');
