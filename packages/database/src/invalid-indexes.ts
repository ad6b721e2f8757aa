import type pg from "pg";

/**
 * A failed CREATE INDEX CONCURRENTLY leaves an index that slows writes and serves no query, and `if not exists` would take
 * it for the finished one. So it is dropped before the next attempt. An index that somebody is building now stays.
 */
export async function dropInvalidIndexes(client: pg.Client, report: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', nspname, relname) as name from pg_index
    join pg_class on pg_class.oid = indexrelid
    join pg_namespace on pg_namespace.oid = relnamespace
    where not indisvalid and relkind = 'i' and relowner = 'svc_owner'::regrole
      and not exists (select from pg_stat_progress_create_index where index_relid = indexrelid)`);
  for (const { name } of rows) {
    await client.query(`drop index concurrently if exists ${name}`);
    report(`dropped ${name}, left invalid by an attempt that failed`);
  }
}
