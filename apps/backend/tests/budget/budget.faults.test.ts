import { Database } from "@svc/database/database";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Dice } from "../../testing/dice.ts";
import { BudgetWorld } from "./budget-world.ts";

/**
 * A budget is never overspent, nothing of it is lost, and what fits is never refused, with workers that die, are late
 * or come twice, across the end of a month, and under changing limits.
 */
const runs = faultSize(5_000, 100);
const workers = 8;
/** Each in a separate tenant: while the workers of one wait for each other, those of others continue. */
const worldsAtOnce = 4;
const stepsEach = 6;
const seed = runSeed();

let testDatabase: TestDatabase;
let databases: Database[] = [];
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  // Both roles spend: workers on documents, the API on queries.
  databases = [testDatabase.workerUrl, testDatabase.appUrl].map(
    (url) => new Database({ url, maxConnections: workers * 2 }),
  );
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  await testDatabase.drop();
});

test("never overspent, nothing lost, nothing refused that fits", { timeout: 1_800_000 }, async () => {
  const counts: Record<string, number> = {};
  let next = 0;
  const play = async () => {
    for (let run = next++; run < runs; run = next++) await playRun(run, counts);
  };
  await Promise.all(Array.from({ length: worldsAtOnce }, play));
  const steps = ["refused", "settled before", "holds expired", "settled late", "settled in another month"];
  // What never happened was not tested.
  for (const step of steps) expect(counts[step], step).toBeGreaterThan(0);
  process.stdout.write(`budget: ${runs} runs, ${JSON.stringify(counts)}, SVC_SEED=${seed}\n`);
});

async function playRun(run: number, counts: Record<string, number>): Promise<void> {
  const world = new BudgetWorld(databases, new Dice(seed + run));
  const work = async () => {
    for (let step = 0; step < stepsEach; step += 1) await world.takeStep();
  };
  const ends = await Promise.allSettled(Array.from({ length: workers }, work));
  for (const end of ends) if (end.status === "rejected") throw told(end.reason, run);
  await world.end().catch((error: unknown) => {
    throw told(error, run);
  });
  for (const [what, times] of Object.entries(world.counts)) counts[what] = (counts[what] ?? 0) + times;
}

function told(error: unknown, run: number): Error {
  return new Error(`run ${run}, SVC_SEED=${seed}: ${error instanceof Error ? error.message : error}`, {
    cause: error,
  });
}
