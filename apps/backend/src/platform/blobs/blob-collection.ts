import type { Database } from "@svc/database/database";
import { sql } from "kysely";
import { blobKey, parseBlobKey } from "./blob-store.ts";

interface ObjectName {
  tenantId: string;
  storageKey: string;
}

/** What the worker can ask about the contents of all tenants at once; the database allows it nothing else. */
export class BlobCollection {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Deletes the rows of contents without references for a day; returns the keys of their objects. */
  async collect(batch: number): Promise<string[]> {
    return this.#database.withDirectory(async (db) => {
      const { rows } = await sql<ObjectName>`
        select tenant_id as "tenantId", storage_key as "storageKey" from app.collect_blobs(${batch})`.execute(
        db,
      );
      return rows.map(({ tenantId, storageKey }) => blobKey(tenantId, storageKey));
    });
  }

  /** The keys of tenants of this database that belong to none of its contents. */
  async findOrphans(keys: readonly string[]): Promise<string[]> {
    return this.#database.withDirectory(async (db) => {
      const names = keys.flatMap((key) => parseBlobKey(key) ?? []);
      const tenantIds = [...new Set(names.map(({ tenantId }) => tenantId))];
      const { rows: tenants } = await sql<{ id: string }>`
        select id from control.known_tenants(${tenantIds}::uuid[]) as known (id)`.execute(db);
      const tenantsHere = new Set(tenants.map(({ id }) => id));
      const ours = names.filter(({ tenantId }) => tenantsHere.has(tenantId));
      const { rows } = await sql<ObjectName>`
        select tenant_id as "tenantId", storage_key as "storageKey" from app.unknown_blobs(
          ${ours.map(({ tenantId }) => tenantId)}::uuid[], ${ours.map(({ storageKey }) => storageKey)}::uuid[])
        `.execute(db);
      return rows.map(({ tenantId, storageKey }) => blobKey(tenantId, storageKey));
    });
  }
}
