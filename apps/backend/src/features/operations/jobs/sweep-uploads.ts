import { defineJob } from "../../../platform/jobs/define-job.ts";

/** Runs often: abandoned uploads count against their owner's limit until they are deleted. */
export default defineJob({
  cron: "*/5 * * * *",
  async run({ staging, log, machineTime, now }) {
    const uploads = await staging.sweep({ machineTime, now });
    if (uploads > 0) log.info({ uploads }, "deleted abandoned uploads");
  },
});
