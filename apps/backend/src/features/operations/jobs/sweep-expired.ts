import { defineJob } from "../../../platform/define-job.ts";

const batch = 1_000;

/** Idempotency answers, preview tokens and uploads that nobody came back for. */
export default defineJob({
  cron: "23 * * * *",
  async run({ sweepExpired, staging, log, now }) {
    let rows = 0;
    for (let swept = batch; swept >= batch; rows += swept) swept = await sweepExpired(batch);
    const uploads = await staging.sweep(now);
    log.info({ rows, uploads }, "swept what had expired");
  },
});
