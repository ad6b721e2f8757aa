import { randomUUID } from "node:crypto";
import { defineJob } from "../../../platform/jobs/define-job.ts";
import { takeTurn } from "../reindexing/reindex.ts";
import { claimReindex } from "../reindexing/reindex-store.ts";

/** The next minute's goes on: so no job holds its place among the others for hours. */
const sliceMillis = 50_000;

/** Indexes again what somebody asked for, one tenant's turn after the other's. */
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
