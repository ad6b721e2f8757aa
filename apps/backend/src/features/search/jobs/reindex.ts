import { randomUUID } from "node:crypto";
import { defineJob } from "../../../platform/jobs/define-job.ts";
import { takeTurn } from "../reindexing/reindex.ts";
import { claimReindex } from "../reindexing/reindex-store.ts";

/** The run of the next minute continues, so that no job blocks others for hours. */
const sliceMillis = 50_000;

/** Runs requested reindexes, one turn per tenant. */
export default defineJob({
  cron: "* * * * *",
  async run(context) {
    const end = performance.now() + sliceMillis;
    while (performance.now() < end && !context.signal?.aborted) {
      const claim = await claimReindex(context.database, randomUUID());
      if (!claim) return;
      await takeTurn(context, claim);
    }
  },
});
