import { defineJob, nobody } from "../../../platform/jobs/define-job.ts";
import { forEachTenant } from "../../../platform/jobs/for-each-tenant.ts";
import { expireHolds, monthsWithExpiredHolds } from "../budget-store.ts";

/** The next minute's takes the rest. */
const batch = 1_000;

/** Books the calls of models that nobody told the end of, at what was reserved for them: they may have been made. */
export default defineJob({
  cron: "* * * * *",
  async run({ database, log, now, signal }) {
    const months = await monthsWithExpiredHolds(database, now, batch);
    await forEachTenant(months, { log, signal }, async ({ tenantId, month }) => {
      const { holds, micros, crossed } = await database.withTenant(
        { tenantId, actorId: nobody },
        "write",
        (transaction) => expireHolds(transaction, month, now),
      );
      const told = { tenant: tenantId, month, holds, micros: micros.toString() };
      if (holds > 0) log.warn(told, "calls of models whose end nobody told were booked");
      if (crossed) log.warn({ tenant: tenantId, month, percent: crossed }, "an AI budget is nearly used up");
    });
  },
});
