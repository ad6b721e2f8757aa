import { sql } from "kysely";
import { defineJob } from "../../../platform/jobs/define-job.ts";
import { forEachTenant } from "../../../platform/jobs/for-each-tenant.ts";
import { promote } from "../reindexing/promote.ts";

const atOnce = 16;
/** The next run continues, so that no job blocks others for hours. */
const sliceMillis = 5 * 60_000;

/** Gives a tenant that has outgrown its shared shelf a dedicated one, so that it slows down nobody else. */
export default defineJob({
  cron: "*/10 * * * *",
  async run({ database, settings, log, signal }) {
    const tenants = await database.withDirectory(async (db) => {
      const { rows } = await sql<{ tenantId: string }>`
        select id as "tenantId" from app.tenants_to_promote(${settings.shelfDocuments}, ${atOnce}) as big (id)`.execute(
        db,
      );
      return rows;
    });
    const slice = AbortSignal.timeout(sliceMillis);
    const stop = signal ? AbortSignal.any([signal, slice]) : slice;
    await forEachTenant(tenants, { log, signal: stop }, async ({ tenantId }) => {
      const outcome = await promote({ database, signal: stop }, tenantId);
      log.info({ tenant: tenantId, outcome }, "moved a tenant to a dedicated shelf");
    });
  },
});
