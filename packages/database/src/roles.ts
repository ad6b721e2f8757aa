import type pg from "pg";
import { repeatOnRace } from "./repeat-on-race.ts";

/**
 * Roles belong to the server, not to a database, so they are not a migration. svc_owner owns every object and nobody
 * logs in as it; svc_app and svc_worker log in, own none of our tables and cannot bypass row security.
 * Time limits are set on the role, so that no connection can forget them; a role that already existed gets the
 * missing ones, and keeps an operator's choices.
 */
export async function createRoles(client: pg.Client): Promise<void> {
  const create = () =>
    client.query(`
    do $$
    begin
      create role svc_owner nologin nobypassrls;
    exception when duplicate_object or unique_violation then null;
    end $$;
    do $$
    begin
      create role svc_app login nobypassrls;
    exception when duplicate_object or unique_violation then null;
    end $$;
    do $$
    begin
      create role svc_worker login nobypassrls;
    exception when duplicate_object or unique_violation then null;
    end $$;
    do $$
    declare
      missing record;
    begin
      for missing in
        select * from (values
          ('svc_app', 'statement_timeout', '15s'),
          ('svc_app', 'lock_timeout', '5s'),
          ('svc_app', 'idle_in_transaction_session_timeout', '30s'),
          ('svc_app', 'transaction_timeout', '60s'),
          ('svc_worker', 'lock_timeout', '5s'),
          ('svc_worker', 'idle_in_transaction_session_timeout', '60s')
        ) as time_limit (role, name, value)
        where not exists (
          select from pg_db_role_setting, unnest(setconfig) as setting
          where setdatabase = 0 and setrole = role::regrole and split_part(setting, '=', 1) = name)
      loop
        execute format('alter role %I set %I = %L', missing.role, missing.name, missing.value);
      end loop;
    end $$;
    create extension if not exists vector;
    create extension if not exists btree_gin;
    create extension if not exists pg_trgm;
    do $$
    begin
      -- svc_worker creates and owns one schema: that of its queue.
      execute format('grant create on database %I to svc_owner, svc_worker', current_database());
    end $$;
    grant svc_owner to current_user;
  `);
  await repeatOnRace(create);
}
