-- A reader that ran out of time, or could not be started, says little about its document: the document is read again later.
alter table app.node_text
  -- How often it was read, the reading that is going on included.
  add column attempts integer not null default 1,
  -- When it is read again. Null: what came out is final.
  add column retry_at timestamptz;
alter table app.node_text
  drop constraint node_text_outcome_check,
  add constraint node_text_outcome_check check (
    outcome in ('ok', 'empty', 'encrypted', 'too_large', 'timeout', 'crash', 'unsupported', 'truncated', 'failed'));
create index node_text_to_retry on app.node_text (tenant_id, retry_at) where retry_at is not null;

-- What ran out of time before there were retries. The owner sees rows only while they are not forced on it.
alter table app.node_text no force row level security;
update app.node_text set retry_at = now() where outcome = 'timeout';
alter table app.node_text force row level security;

grant update (outcome, text, extractor_version, attempts, retry_at) on app.node_text to svc_worker;
-- Some formats say themselves which they are, but only to a reader that gets to the end.
grant update (media_type) on app.node, app.node_version to svc_worker;
-- A file whose text changed awaits embedding again.
grant insert on app.embedding_index_queue_entry to svc_worker;

-- Tenants of the cell that have something to read again. In any order: if there are more than one batch, none is always last.
create function app.tenants_to_read_again(at timestamptz, batch integer) returns setof uuid
  language sql volatile security definer set search_path = ''
  begin atomic
    select tenant_id from (
      select distinct stored.tenant_id from app.node_text as stored where stored.retry_at <= at) as due
    order by random() limit batch;
  end;
create policy recognise on app.node_text for select to svc_owner using (retry_at is not null);
revoke all on function app.tenants_to_read_again from public;
grant execute on function app.tenants_to_read_again to svc_worker;
