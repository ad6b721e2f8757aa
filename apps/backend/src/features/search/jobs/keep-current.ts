import { analyserVersion } from "@svc/search/analyser/analyse-text";
import { nobody } from "../../../platform/identity/nobody.ts";
import { defineJob } from "../../../platform/jobs/define-job.ts";
import { forEachDueTenant } from "../../../platform/jobs/for-each-tenant.ts";
import { fileReindex } from "../reindexing/file-reindex.ts";
import { tenantsToReindex } from "../reindexing/reindex-store.ts";

/**
 * After a release with a new analyser, everything is reindexed; until then old documents are found by the words that
 * both analysers share. The same applies to content from before search existed.
 */
export default defineJob({
  cron: "7 * * * *",
  atStart: true,
  async run({ database, search, log, signal }) {
    let tenants = 0;
    const list = async (batch: number) =>
      (await tenantsToReindex(database, analyserVersion, batch)).map((tenantId) => ({ tenantId }));
    await forEachDueTenant(list, { log, signal }, async ({ tenantId }) => {
      await database.withTenant({ tenantId, actorId: nobody }, "write", (transaction) =>
        fileReindex(transaction, search.sources, {}),
      );
      tenants += 1;
    });
    if (tenants > 0) log.info({ tenants }, "queued for reindexing");
  },
});
