-- Short names of cursors, for people at a terminal. Few characters can be guessed, so a row belongs to one actor and one
-- credential, and is looked for among theirs only.
create table app.page_cursor (
  tenant_id uuid not null,
  actor_id uuid not null,
  code text not null,
  credential_id uuid not null,
  line_hash bytea not null,
  cursor text not null,
  expires_at timestamptz not null,
  primary key (tenant_id, actor_id, code)
);
create index page_cursor_by_expiry on app.page_cursor (expires_at);
call app.police('app.page_cursor');
grant select, insert, delete on app.page_cursor to svc_app;

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
create policy sweep on app.page_cursor to svc_owner using (expires_at < now());
