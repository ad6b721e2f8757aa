import { setImmediate as turn } from "node:timers/promises";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { openPool } from "./open-pool.ts";
import { PatientPool } from "./patient-pool.ts";

let testDatabase: TestDatabase;
let admin: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await testDatabase.drop();
});

interface Refusal {
  code: string | undefined;
  pauseMillis: number;
}

/** A pool for a role that cannot log in yet, and what its operator is told. */
async function openForLockedRole() {
  const role = `${testDatabase.name}_locked`;
  await admin.query(`create role ${role} nologin password 'right'`);
  const url = new URL(testDatabase.adminUrl);
  url.username = role;
  url.password = "right";
  const refusals: Refusal[] = [];
  const note = (error: Error & { code?: string }, pauseMillis: number) =>
    refusals.push({ code: error.code, pauseMillis });
  const pool = openPool(
    { url: url.href, maxConnections: 3, silenceMillis: 20_000, onIdleError: () => {} },
    (config) => new PatientPool(config, note),
  );
  onTestFinished(async () => {
    if (!pool.ending) await pool.end();
    await admin.query(`drop role ${role}`);
  });
  return { pool, role, refusals };
}

test("waits with growing pauses for a login that is refused, and goes on when it is accepted", async () => {
  const { pool, role, refusals } = await openForLockedRole();
  const asked = Promise.all([
    pool.query("select 1 as one"),
    pool.connect().then((client) => client.release()),
    new Promise((resolve, reject) => {
      pool.connect((error, client, release) => {
        release();
        if (error) reject(error);
        else resolve(client);
      });
    }),
  ]);
  await expect.poll(() => refusals.length).toBeGreaterThanOrEqual(4);
  await admin.query(`alter role ${role} login`);
  const [{ rows }] = await asked;
  expect(rows).toEqual([{ one: 1 }]);
  expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(["28000"]));
  // Each is between half and all of twice the one before; three callers share them.
  expect(refusals.map(({ pauseMillis }) => pauseMillis).slice(0, 4)).toEqual([
    within(100, 200),
    within(200, 400),
    within(400, 800),
    within(800, 1_600),
  ]);
});

test("stops waiting when told to", async () => {
  const { pool, refusals } = await openForLockedRole();
  const asked = expect(pool.connect()).rejects.toMatchObject({ code: "28000" });
  await expect.poll(() => refusals.length).toBeGreaterThan(0);
  pool.stopWaiting();
  await asked;
});

test("fails nobody after its end", async () => {
  const { pool, refusals } = await openForLockedRole();
  let isAnswered = false;
  const answer = () => {
    isAnswered = true;
  };
  pool.connect().then(answer, answer);
  await expect.poll(() => refusals.length).toBeGreaterThan(0);
  await pool.end();
  const tries = vi.spyOn(pg.Pool.prototype, "connect");
  onTestFinished(() => tries.mockRestore());
  pool.connect().then(answer, answer);
  // The earlier caller tries again after its pause.
  await expect.poll(() => tries.mock.calls.length).toBeGreaterThanOrEqual(2);
  await Promise.allSettled(tries.mock.results.map(({ value }) => value));
  await turn();
  expect(isAnswered).toBe(false);
});

function within(least: number, most: number) {
  return expect.toSatisfy((value: number) => value >= least && value <= most);
}
