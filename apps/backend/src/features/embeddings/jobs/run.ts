import { setTimeout as sleep } from "node:timers/promises";
import { nobody } from "../../../platform/identity/nobody.ts";
import { defineJob, type JobContext } from "../../../platform/jobs/define-job.ts";
import { forEachTenant } from "../../../platform/jobs/for-each-tenant.ts";
import { nextRun } from "../../../platform/process/cron.ts";
import { takeTurn } from "../embed-files.ts";
import { claimTurn, dueRuns, planRun, readRun, startRun } from "../run-store.ts";
import { readSetting } from "../setting-store.ts";

/** The next minute's goes on: so no job holds its place among the others for hours. */
const sliceMillis = 50_000;
/** While one waits for the model, another has to do with the database. */
const lanes = 2;
const idleMillis = 50;
const startedAtOnce = 100;

/** Embeds what waits, in the tenants whose time has come, one tenant's turn after the other's. */
export default defineJob({
  cron: "* * * * *",
  atStart: true,
  async run(context) {
    try {
      await startDue(context);
    } finally {
      // Also if a tenant's run could not begin: those of others go on.
      await takeTurns(context);
    }
  },
});

async function takeTurns(context: JobContext): Promise<void> {
  const end = performance.now() + sliceMillis;
  let busy = lanes;
  const lane = async () => {
    while (performance.now() < end && !context.signal?.aborted) {
      const tenantId = await claimTurn(context.database, new Date());
      if (tenantId !== undefined) {
        await takeTurn({ ...context, clock: () => new Date() }, tenantId);
        continue;
      }
      // There may be a turn yet: a tenant whose row another lane holds just now is passed over.
      busy -= 1;
      if (busy > 0) await sleep(idleMillis);
      if (busy === 0) return;
      busy += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function startDue(context: JobContext): Promise<void> {
  const { database, settings, now } = context;
  const due = (await dueRuns(database, now, startedAtOnce)).map((tenantId) => ({ tenantId }));
  await forEachTenant(due, context, ({ tenantId }) =>
    database.withTenant({ tenantId, actorId: nobody }, "write", async (transaction) => {
      const { cron } = await readSetting(transaction);
      const planned = (await readRun(transaction))?.nextRunAt ?? undefined;
      await planRun(transaction, nextRun(cron ?? settings.embeddingCron, now));
      if (planned !== undefined && planned <= now) await startRun(transaction, now);
    }),
  );
}
