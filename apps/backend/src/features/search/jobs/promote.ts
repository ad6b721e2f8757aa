import { sql } from "kysely";
import { defineJob } from "../../../platform/jobs/define-job.ts";
import { forEachTenant } from "../../../platform/jobs/for-each-tenant.ts";
import { changeShelf, type ShelfChange } from "../reindexing/promote.ts";

const atOnce = 16;
/** The next run continues, so that no job blocks others for hours. */
const sliceMillis = 5 * 60_000;

/** A shelf that is so many times as large as what makes a tenant large is full: a million documents by default. */
const fullTimes = 20;

/**
 * Gives a tenant that has outgrown its shared shelf a dedicated one, so that it slows down nobody else; another one when
 * that is full; and takes them back from a tenant that has shrunk.
 */
export default defineJob({
  cron: "*/10 * * * *",
  async run({ database, settings, log, signal }) {
    const tenants = await database.withDirectory(async (db) => {
      const { shelfDocuments } = settings;
      const { rows } = await sql<ShelfChange>`
        select tenant_id as "tenantId", change
        from app.shelf_changes_due(${shelfDocuments}, ${shelfDocuments * fullTimes}, ${atOnce})`.execute(db);
      return rows;
    });
    const slice = AbortSignal.timeout(sliceMillis);
    const stop = signal ? AbortSignal.any([signal, slice]) : slice;
    await forEachTenant(tenants, { log, signal: stop }, async (due) => {
      const outcome = await changeShelf({ database, signal: stop }, due);
      log.info({ tenant: due.tenantId, change: due.change, outcome }, "changed the shelves of a tenant");
    });
  },
});
