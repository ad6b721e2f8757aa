import { defineJob } from "../../../platform/jobs/define-job.ts";

/** Often: uploads that stopped count against their owner's limit until they are gone. */
export default defineJob({
  cron: "*/5 * * * *",
  async run({ staging, log, now }) {
    const uploads = await staging.sweep(now);
    if (uploads > 0) log.info({ uploads }, "swept uploads that nobody resumed");
  },
});
