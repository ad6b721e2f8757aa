import { defineJob } from "../../../platform/jobs/define-job.ts";
import { removeExpired } from "../remove-expired.ts";

/** Nothing of a visitor stays but audit entries, which have none of their text. Also if the demo was switched off. */
export default defineJob({
  cron: "* * * * *",
  atStart: true,
  async run(context) {
    const removed = await removeExpired(context);
    if (removed > 0) context.log.info({ removed }, "removed visitors of the demo");
  },
});
