import { defineJob } from "../../../platform/jobs/define-job.ts";
import { readOneOfEachTenant } from "../read-again.ts";

/** The run of the next minute continues, so that no job blocks others for hours. */
const sliceMillis = 50_000;

/** Retries documents whose reader ran out of time or could not be started. Tenants take turns. */
export default defineJob({
  cron: "* * * * *",
  async run(context) {
    const end = performance.now() + sliceMillis;
    while (performance.now() < end && !context.signal?.aborted) {
      if ((await readOneOfEachTenant(context)) === 0) return;
    }
  },
});
