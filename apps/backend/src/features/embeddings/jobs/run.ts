import { setTimeout as sleep } from "node:timers/promises";
import { nobody } from "../../../platform/identity/nobody.ts";
import { defineJob, type JobContext } from "../../../platform/jobs/define-job.ts";
import { forEachTenant } from "../../../platform/jobs/for-each-tenant.ts";
import { nextRun } from "../../../platform/process/cron.ts";
import { takeTurn } from "../embed-files.ts";
import { claimTurn, dueRuns, planRun, readRun, startRun } from "../run-store.ts";
import { readSetting } from "../setting-store.ts";

/** The run of the next minute continues, so that no job blocks others for hours. */
const sliceMillis = 50_000;
/** While one lane waits for the model, another uses the database. */
const lanes = 2;
const idleMillis = 50;
const startedAtOnce = 100;

/** Embeds waiting files in the tenants whose time has come, one turn per tenant. */
export default defineJob({
  cron: "* * * * *",
  atStart: true,
  async run(context) {
    try {
      await startDue(context);
    } finally {
      // Continues if a tenant's run could not start, so that those of others continue.
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
      // There may be another turn: a tenant whose row another lane holds is skipped.
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
