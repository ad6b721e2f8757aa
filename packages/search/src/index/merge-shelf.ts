import type { Database, TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";

type Directory = Pick<Database, "withDirectory">;

/** The shelf that most needs merging: see `app.search_shelves_to_merge` for when that is. */
export function nextShelfToMerge(database: Directory): Promise<number | undefined> {
  return database.withDirectory(async (db) => {
    const { rows } = await sql<{ shelf: number }>`
      select shelf from app.search_shelves_to_merge(1) as due (shelf) limit 1`.execute(db);
    return rows[0]?.shelf;
  });
}

/** Moves pending entries of the shelf's indexes to where searches find them fast, and adds up its counters. */
export async function mergeShelf(database: Directory, shelf: number): Promise<void> {
  await database.withDirectory((db) => sql`select app.merge_search_shelf(${shelf}::smallint)`.execute(db));
}

/** Merges the tenant's shelves if they should have been merged long ago: no worker is running. */
export async function relieveShelves({ db }: TenantTransaction): Promise<void> {
  await sql`select app.relieve_search_shelves()`.execute(db);
}
