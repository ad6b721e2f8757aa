import { nobody } from "../../../platform/identity/nobody.ts";
import { defineJob } from "../../../platform/jobs/define-job.ts";
import { forEachDueTenant } from "../../../platform/jobs/for-each-tenant.ts";
import { expireHolds, monthsWithExpiredHolds } from "../budget-store.ts";

/** Books model calls that never reported their cost, at their reserved amount, because they may have been made. */
export default defineJob({
  cron: "* * * * *",
  async run({ database, log, now, signal }) {
    const list = (batch: number) => monthsWithExpiredHolds(database, now, batch);
    await forEachDueTenant(list, { log, signal }, async ({ tenantId, month }) => {
      const { holds, micros, crossed } = await database.withTenant(
        { tenantId, actorId: nobody },
        "write",
        (transaction) => expireHolds(transaction, month, now),
      );
      const told = { tenant: tenantId, month, holds, micros: micros.toString() };
      if (holds > 0) log.warn(told, "booked model calls that never reported their cost");
      if (crossed) log.warn({ tenant: tenantId, month, percent: crossed }, "an AI budget is nearly used up");
    });
  },
});
