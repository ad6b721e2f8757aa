import type pg from "pg";

/**
 * Roles belong to the server, not to a database, so they are not a migration. svc_owner owns every object and nobody
 * logs in as it; svc_app and svc_worker log in, own none of our tables and cannot bypass row security.
 * Time limits stand on the role, so that no connection can forget them.
 */
export async function createRoles(client: pg.Client): Promise<void> {
  await client.query(`
    do $$
    begin
      create role svc_owner nologin nobypassrls;
    exception when duplicate_object or unique_violation then null;
    end $$;
    do $$
    begin
      create role svc_app login nobypassrls;
      alter role svc_app set statement_timeout = '15s';
      alter role svc_app set lock_timeout = '5s';
      alter role svc_app set idle_in_transaction_session_timeout = '30s';
      alter role svc_app set transaction_timeout = '60s';
    exception when duplicate_object or unique_violation then null;
    end $$;
    do $$
    begin
      create role svc_worker login nobypassrls;
      alter role svc_worker set lock_timeout = '5s';
      alter role svc_worker set idle_in_transaction_session_timeout = '60s';
    exception when duplicate_object or unique_violation then null;
    end $$;
    create extension if not exists vector;
    create extension if not exists btree_gin;
    create extension if not exists pg_trgm;
    do $$
    begin
      -- svc_worker makes and owns one schema: that of its queue.
      execute format('grant create on database %I to svc_owner, svc_worker', current_database());
    end $$;
    grant svc_owner to current_user;
  `);
}
