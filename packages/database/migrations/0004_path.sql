-- What dispatch writes around a command: its operation, its answer by idempotency key, its preview, its audit entry.

create table app.operation (
  tenant_id uuid not null,
  id uuid not null default uuidv7(),
  actor_id uuid not null,
  command text not null,
  undo_payload jsonb not null,
  changes jsonb not null,
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  undone_by uuid,
  primary key (tenant_id, id)
);

-- The key itself is not stored, only its hash; the answer is sealed with a key derived from it. So an answer that
-- holds a secret (a new token) can be replayed to who asked, and read by nobody else.
create table app.idempotency (
  tenant_id uuid not null,
  actor_id uuid not null,
  key_hash bytea not null,
  fingerprint text not null,
  sealed_outcome bytea,
  expires_at timestamptz not null,
  primary key (tenant_id, actor_id, key_hash)
);
create index idempotency_by_expiry on app.idempotency (expires_at);

create table app.preview (
  tenant_id uuid not null,
  token_hash bytea not null,
  actor_id uuid not null,
  fingerprint text not null,
  expires_at timestamptz not null,
  primary key (tenant_id, token_hash)
);
create index preview_by_expiry on app.preview (expires_at);

-- Append-only. `entry` is json, not jsonb: its exact bytes are what the chain hashes.
create table app.audit (
  tenant_id uuid not null,
  sequence bigint not null,
  at timestamptz not null,
  actor_id uuid not null,
  command text not null,
  outcome text not null check (outcome in ('committed', 'previewed', 'refused')),
  entry json not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (tenant_id, sequence)
);

-- The end of each tenant's chain: one hot row, locked from the append to the end of the transaction.
create table app.audit_head (
  tenant_id uuid not null primary key,
  sequence bigint not null,
  hash bytea not null
) with (fillfactor = 50);

call app.police('app.operation');
call app.police('app.idempotency');
call app.police('app.preview');
call app.police('app.audit');
call app.police('app.audit_head');

grant select, insert, update on app.operation to svc_app;
grant select, insert, update, delete on app.idempotency to svc_app;
grant select, insert, delete on app.preview to svc_app;
grant select, insert on app.audit to svc_app;
grant select, insert, update on app.audit_head to svc_app;

-- Sweeping is the one thing that is done for all tenants of a cell at once, and it sees expired rows only.
create function app.sweep_expired(batch integer) returns integer
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
  return swept + removed;
end $$;
create policy sweep on app.idempotency to svc_owner using (expires_at < now());
create policy sweep on app.preview to svc_owner using (expires_at < now());
revoke all on function app.sweep_expired from public;
grant execute on function app.sweep_expired to svc_worker;
