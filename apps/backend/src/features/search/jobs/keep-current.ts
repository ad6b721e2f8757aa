import { analyserVersion } from "@svc/search/analyser/analyse-text";
import { nobody } from "../../../platform/identity/nobody.ts";
import { defineJob } from "../../../platform/jobs/define-job.ts";
import { forEachTenant } from "../../../platform/jobs/for-each-tenant.ts";
import { fileReindex } from "../reindexing/file-reindex.ts";
import { tenantsToReindex } from "../reindexing/reindex-store.ts";

const batch = 500;

/**
 * After a release with a new analyser, everything is reindexed; until then old documents are found by the words that
 * both analysers share. The same applies to content from before search existed.
 */
export default defineJob({
  cron: "7 * * * *",
  atStart: true,
  async run({ database, search, log, signal }) {
    let tenants: { tenantId: string }[];
    do {
      const ids = await tenantsToReindex(database, analyserVersion, batch);
      tenants = ids.map((tenantId) => ({ tenantId }));
      await forEachTenant(tenants, { log, signal }, async ({ tenantId }) => {
        await database.withTenant({ tenantId, actorId: nobody }, "write", (transaction) =>
          fileReindex(transaction, search.sources, {}),
        );
      });
      if (tenants.length > 0) log.info({ tenants: tenants.length }, "queued for reindexing");
    } while (tenants.length === batch && !signal?.aborted);
  },
});
