import type { TenantTransaction } from "@svc/database/database";
import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";
import type { TestBackend, TestTenant } from "../../../../testing/test-backend.ts";
import { asAdmin, runJob, withWorker } from "../../../../testing/worker-test.ts";
import { nobody } from "../../../platform/identity/nobody.ts";
import { endRun, lockDueRun, planRun, startRun } from "../run-store.ts";
import startDue from "./start-due.ts";

async function addTenantWithRuns(backend: TestBackend): Promise<TestTenant> {
  const tenant = await backend.addTenant();
  await backend.run(tenant.token, "workspaces create Reports");
  await backend.run(tenant.token, "workspaces update reports --semantic-search on");
  return tenant;
}

async function plannedFor(backend: TestBackend, { id }: TestTenant): Promise<Date> {
  const { rows } = await asAdmin({ backend }, (admin) =>
    admin.query<{ at: Date }>("select next_run_at as at from app.embedding_run where tenant_id = $1", [id]),
  );
  if (!rows[0]) throw new Error("the tenant has no runs");
  return rows[0].at;
}

const wednesday = new Date("2026-11-18T10:00:00Z");
const sunday = new Date("2026-11-22T03:00:00Z");

test("the default schedule is spread, and an own schedule is kept exactly", async ({ backend }) => {
  const usual = await addTenantWithRuns(backend);
  const own = await addTenantWithRuns(backend);
  await backend.run(own.token, ["embeddings", "schedule", "--cron", "0 3 * * 0"]);
  await runJob(backend, startDue, { now: wednesday, settings: { embeddingSpread: 60 } });
  expect(await plannedFor(backend, own)).toEqual(sunday);
  const spread = await plannedFor(backend, usual);
  expect(spread.getTime()).toBeGreaterThan(sunday.getTime());
  expect(spread.getTime()).toBeLessThan(sunday.getTime() + 60 * 60_000);
  await backend.run(own.token, "embeddings schedule --cron usual");
  await backend.run(usual.token, ["embeddings", "schedule", "--cron", "0 3 * * 0"]);
  await runJob(backend, startDue, { now: wednesday, settings: { embeddingSpread: 60 } });
  expect(await plannedFor(backend, usual)).toEqual(sunday);
  expect((await plannedFor(backend, own)).getTime()).toBeGreaterThan(sunday.getTime());
});

test("a run that one worker starts is left alone by the others, also when it has ended", async ({
  backend,
}) => {
  const { id: tenantId } = await addTenantWithRuns(backend);
  await runJob(backend, startDue, { now: wednesday });
  const now = new Date(sunday.getTime() + 60 * 60_000);
  await withWorker(backend, async ({ database }) => {
    const asWorker = <T>(work: (transaction: TenantTransaction) => Promise<T>) =>
      database.withTenant({ tenantId, actorId: nobody }, "write", work);
    const isDue = () => asWorker(async (other) => (await lockDueRun(other, now)) !== undefined);
    await asWorker(async (transaction) => {
      expect(await lockDueRun(transaction, now)).toBeDefined();
      // Answers at once: a worker that waited here would go through the tenants in step with this one.
      expect(await isDue()).toBe(false);
      await planRun(transaction, new Date(sunday.getTime() + 7 * 86_400_000));
      await startRun(transaction, now);
    });
    expect(await isDue()).toBe(false);
    await asWorker((transaction) => endRun(transaction, "done", now));
    expect(await isDue()).toBe(false);
  });
});

test("several workers at once start every run that is due, and each once", async ({ backend }) => {
  const tenants = await Promise.all(Array.from({ length: 12 }, () => addTenantWithRuns(backend)));
  await runJob(backend, startDue, { now: wednesday });
  await asAdmin({ backend }, (admin) =>
    admin.query(`
      create table public.started (tenant_id uuid);
      grant insert on public.started to public;
      create function public.note_start() returns trigger language plpgsql as
        $$ begin insert into public.started values (new.tenant_id); return null; end $$;
      create trigger note_start after update on app.embedding_run for each row
        when (new.started_at is not null) execute function public.note_start();`),
  );
  const now = new Date(sunday.getTime() + 60 * 60_000);
  await Promise.all(Array.from({ length: 3 }, () => runJob(backend, startDue, { now })));
  const { rows } = await asAdmin({ backend }, (admin) =>
    admin.query<{ id: string }>("select tenant_id as id from public.started"),
  );
  const started = rows.map(({ id }) => id).filter((id) => tenants.some((tenant) => tenant.id === id));
  expect(started.toSorted()).toEqual(tenants.map(({ id }) => id).toSorted());
});
