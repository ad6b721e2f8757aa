import { nobody } from "../../../platform/identity/nobody.ts";
import { defineJob } from "../../../platform/jobs/define-job.ts";
import { forEachDueTenant } from "../../../platform/jobs/for-each-tenant.ts";
import { nextRun } from "../../../platform/process/cron.ts";
import { nextSpreadRun } from "../../../platform/process/spread-schedule.ts";
import { dueRuns, lockDueRun, planRun, startRun } from "../run-store.ts";
import { readSetting } from "../setting-store.ts";

/** Starts the runs whose time has come, and plans the next ones. */
export default defineJob({
  cron: "* * * * *",
  atStart: true,
  async run(context) {
    const { database, settings, now } = context;
    const windowMillis = settings.embeddingSpread * 60_000;
    const list = async (batch: number) =>
      (await dueRuns(database, now, batch)).map((tenantId) => ({ tenantId }));
    await forEachDueTenant(list, context, ({ tenantId }) =>
      database.withTenant({ tenantId, actorId: nobody }, "write", async (transaction) => {
        const due = await lockDueRun(transaction, now);
        if (!due) return;
        const { cron } = await readSetting(transaction);
        const next =
          cron === null
            ? nextSpreadRun(settings.embeddingCron, { tenantId, windowMillis }, now)
            : nextRun(cron, now);
        await planRun(transaction, next);
        if (due.nextRunAt !== null) await startRun(transaction, now);
      }),
    );
  },
});
