import { defineJob } from "../../../platform/jobs/define-job.ts";
import { readOneOfEachTenant } from "../read-again.ts";

/** The next minute's goes on: so no job holds its place among the others for hours. */
const sliceMillis = 50_000;

/** Reads documents again whose reader ran out of time or could not be started, tenants taking turns. */
export default defineJob({
  cron: "* * * * *",
  async run(context) {
    const end = performance.now() + sliceMillis;
    while (performance.now() < end && !context.signal?.aborted) {
      if ((await readOneOfEachTenant(context)) === 0) return;
    }
  },
});
