-- Each worker process takes turns in several lanes, and its tenants share them: tenants that have their share in the
-- process that asks (`served`) are left out. The version before asks claim_embedding_turn and claim_search_reindex, which
-- a later release can drop.
create function app.next_embedding_turn(served uuid[]) returns setof uuid
  language sql volatile security definer set search_path = ''
  begin atomic
    with next as materialized (
      select run.tenant_id from app.embedding_run as run
      where run.started_at is not null and run.touched_at < now() and run.tenant_id <> all (served)
      order by run.touched_at limit 1 for update skip locked)
    update app.embedding_run as run set touched_at = now() from next where run.tenant_id = next.tenant_id
    returning run.tenant_id;
  end;
create function app.next_search_reindex(lease_id uuid, lease interval, served uuid[])
  returns table (tenant_id uuid, id uuid)
  language sql volatile security definer set search_path = ''
  begin atomic
    with next as materialized (
      select open.tenant_id, open.id from app.search_reindex as open
      where open.ended_at is null and (open.leased_until is null or open.leased_until < now())
        and open.tenant_id <> all (served)
      order by open.touched_at limit 1 for update skip locked)
    update app.search_reindex as reindex
    set state = 'running', lease_id = next_search_reindex.lease_id, leased_until = now() + lease
    from next
    where reindex.tenant_id = next.tenant_id and reindex.id = next.id
    returning reindex.tenant_id, reindex.id;
  end;
revoke all on function app.next_embedding_turn, app.next_search_reindex from public;
grant execute on function app.next_embedding_turn, app.next_search_reindex to svc_worker;

-- Tenants without their own schedule are planned again, each at its own time within the window. Runs that are due stay.
update app.embedding_run as run set next_run_at = null
where run.next_run_at > now() and not exists (
  select from app.embedding_setting as setting where setting.tenant_id = run.tenant_id and setting.cron is not null);
