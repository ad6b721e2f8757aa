import { Database } from "@svc/database/database";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { type RawBuilder, sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { rowsOfTenant, tenantTables } from "../../testing/tenant-tables.ts";
import { type CanaryTenant, twins } from "./canary-tenant.ts";
import { CanaryTown } from "./canary-town.ts";

/**
 * Nothing leaks between tenants, whether a row is guarded by its policy, by the predicate of the statement that reads
 * it, or by both. Each guard is tested without the other, so that a missing one of either kind shows.
 */
const tenantCount = faultSize(200, 8);
const callCount = faultSize(4_000, 150);
const isFull = process.env.SVC_FAULTS === "full";
const seed = runSeed();

test("with policies and predicates, no call shows or changes another tenant's things", async () => {
  await expectNoLeak(await buildTown());
});

test("nor with predicates alone", async () => {
  const town = await buildTown();
  await town.disablePolicies();
  const { rows } = await town.backend.database.withDirectory((db) =>
    sql`select count(distinct tenant_id) as tenants from app.workspace`.execute(db),
  );
  expect(rows, "the policies are really off").toEqual([{ tenants: tenantCount }]);
  await expectNoLeak(town);
});

async function expectNoLeak(town: CanaryTown): Promise<void> {
  await town.warmUp();
  const before = await town.rowsOfBystanders();
  await town.rush(callCount);

  expect(town.findings, `SVC_SEED=${seed} makes the same calls`).toEqual([]);
  expect(await town.rowsOfBystanders()).toEqual(before);
  expect(await town.strangersInRows()).toEqual([]);
  // A call that never succeeds, or a search that never finds a canary, would find no leak either. In the few calls of a
  // sample some may never succeed, and all may be answered before their callers disconnect.
  if (isFull) {
    expect(town.neverSucceeded()).toEqual([]);
    expect(town.counts.aborted).toBeGreaterThan(0);
  }
  expect(town.counts.killed).toBeGreaterThan(0);
  expect(town.counts.withOwnCanary).toBeGreaterThan(callCount / 4);
  if (isFull) process.stdout.write(`${JSON.stringify(town.counts)}\n`);
}

test("with policies alone, a statement without any predicate reaches no other tenant's row", async () => {
  const town = await buildTown();
  await town.warmUp();
  const worker = new Database({ url: town.backend.testDatabase.workerUrl, maxConnections: 1 });
  onTestFinished(() => worker.close());

  const broken: string[] = [];
  for (const { name, svc_app, svc_worker } of await tenantTables(town.admin)) {
    const asApp = await brokenPromises(town, name, town.backend.database, svc_app);
    const asWorker = await brokenPromises(town, name, worker, svc_worker);
    broken.push(...asApp.map((what) => `${name} for svc_app: ${what}`));
    broken.push(...asWorker.map((what) => `${name} for svc_worker: ${what}`));
  }
  expect(broken).toEqual([]);
});

/** What a role can do with this table in one tenant's name, but must not. */
async function brokenPromises(
  { admin, tenants }: CanaryTown,
  name: string,
  database: Database,
  rights: string[],
): Promise<string[]> {
  const [own, other] = tenants as [CanaryTenant, CanaryTenant];
  const table = sql.raw(name);
  const [theirs] = await rowsOfTenant(admin, name, other.id);
  const ownCount = (await rowsOfTenant(admin, name, own.id)).length;
  expect(ownCount, `${name} has rows to see`).toBeGreaterThan(0);

  const attempt = (statement: RawBuilder<{ tenant_id: string }>) =>
    database
      .withTenant({ tenantId: own.id, actorId: twins.root }, "rollback", ({ db }) => statement.execute(db))
      .then(
        ({ rows, numAffectedRows = rows.length }) => ({ rows, count: Number(numAffectedRows), code: "" }),
        ({ code }: { code: string }) => ({ rows: [], count: 0, code }),
      );
  const refused = "42501";

  const read = await attempt(sql`select tenant_id from ${table}`);
  if (!rights.includes("select")) return read.code === refused ? [] : ["is read without the right to"];
  const unset = await database.withDirectory((db) => sql`select from ${table}`.execute(db));
  const foreign = sql`select * from jsonb_populate_record(null::${table}, ${JSON.stringify(theirs)}::jsonb)`;
  const inserted = await attempt(sql`insert into ${table} ${foreign}`);
  const promises = {
    "shows another tenant": read.rows.every((row) => row.tenant_id === own.id),
    "shows more or fewer than its own": read.count === ownCount,
    "shows rows to nobody": unset.rows.length === 0,
    "takes a row for another": inserted.code === refused,
  };
  if (rights.includes("update")) {
    const touched = await attempt(sql`update ${table} set tenant_id = tenant_id`);
    const givenAway = await attempt(sql`update ${table} set tenant_id = ${other.id}`);
    Object.assign(promises, {
      "lets another's rows be changed": touched.count === ownCount,
      "lets rows be given away": givenAway.code === refused,
    });
  }
  if (rights.includes("delete")) {
    const deleted = await attempt(sql`delete from ${table}`);
    const elsewhere = await attempt(sql`delete from ${table} where tenant_id <> ${own.id}`);
    const isReferredTo = deleted.code === "23503";
    Object.assign(promises, {
      "lets another's rows be deleted":
        (deleted.count === ownCount || isReferredTo) && elsewhere.count === 0 && elsewhere.code === "",
    });
  }
  return Object.entries(promises).flatMap(([broken, isKept]) => (isKept ? [] : [broken]));
}

async function buildTown(): Promise<CanaryTown> {
  const town = await CanaryTown.build({ tenantCount, seed });
  onTestFinished(() => town.close());
  return town;
}
