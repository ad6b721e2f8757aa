import { defineJob } from "../../../platform/jobs/define-job.ts";

const batch = 1_000;

/** Idempotency answers and preview tokens. */
export default defineJob({
  cron: "23 * * * *",
  async run({ sweepExpired, log }) {
    let rows = 0;
    for (let swept = batch; swept >= batch; rows += swept) swept = await sweepExpired(batch);
    log.info({ rows }, "deleted expired rows");
  },
});
