import type { Database } from "@svc/database/database";
import { sql } from "kysely";

interface TenantTable {
  name: string;
  /** Rights of the role on it. */
  svc_app: string[];
  svc_worker: string[];
}

/** From the catalog, so that new tables are tested automatically. */
export async function tenantTables(admin: Database): Promise<TenantTable[]> {
  const rights = (role: string) => sql`
    array(select right_name from unnest(array['select', 'insert', 'update', 'delete']) as right_name
          where has_table_privilege(${role}, attrelid, right_name))`;
  const { rows } = await admin.withDirectory((db) =>
    sql<TenantTable>`
      select attrelid::regclass::text as name, ${rights("svc_app")} as svc_app, ${rights("svc_worker")} as svc_worker
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where attname = 'tenant_id' and relkind in ('r', 'p')
        -- Partitions are reached through their parent; catalog.test.ts has their rights and policies.
        and not relispartition
        and relnamespace::regnamespace::text in ('control', 'app')
      order by 1`.execute(db),
  );
  return rows;
}

export async function rowsOfTenant(admin: Database, table: string, tenantId: string): Promise<unknown[]> {
  const { rows } = await admin.withDirectory((db) =>
    sql<{ row: unknown }>`
      select to_jsonb(t) as row from ${sql.raw(table)} as t where tenant_id = ${tenantId} order by t::text`.execute(
      db,
    ),
  );
  return rows.map(({ row }) => row);
}

/** The upkeep of the index adds these up at any time, for all tenants of a shelf. */
export const searchCounters: ReadonlySet<string> = new Set([
  "app.search_place_count",
  "app.search_place_delta",
  "app.search_shelf_count",
]);
