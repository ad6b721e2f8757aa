import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WorldTenant } from "../../testing/rights-world/world.ts";
import { people } from "../../testing/rights-world/world-model.ts";
import { worldScript } from "../../testing/rights-world/world-step.ts";
import { TestBackend } from "../../testing/test-backend.ts";

/**
 * People act at random in a workspace; whether each line succeeds, and what each person sees afterwards, is compared
 * with a model that knows nothing about scopes or SQL. SVC_SEED repeats a run.
 */
const lanes = faultSize(4, 2, 4);
/** In a copy with a planted mistake (rights-plants), the first difference is enough. */
const isPlanted = process.env.SVC_FAULTS === "plants";
const worldCount = faultSize(5_000, isPlanted ? 1_000 : 8);
const seed = runSeed();

let backend: TestBackend;
beforeAll(async () => {
  backend = await TestBackend.start({ maxConnections: 8 });
});
afterAll(() => backend.close());

test("everybody sees and does only what they have access to", { timeout: 7_200_000 }, async () => {
  const totals = { worlds: 0, succeeded: 0, refused: 0, compared: 0 };
  const report = () => process.stdout.write(`rights: ${JSON.stringify(totals)}, SVC_SEED=${seed}\n`);
  const inLane = async (lane: number) => {
    const tenant = await WorldTenant.build(backend);
    await fc.assert(
      fc.asyncProperty(worldScript, fc.nat(1_000), async (steps, choice) => {
        const world = await tenant.newWorld();
        for (const step of steps) await world.take(step);
        for (const person of people) await world.compare(person, choice);
        totals.worlds += 1;
        totals.succeeded += world.counts.succeeded;
        totals.refused += world.counts.refused;
        totals.compared += world.counts.compared;
        if (totals.worlds % 500 === 0) report();
      }),
      { numRuns: Math.ceil(worldCount / lanes), seed: seed + lane, endOnFailure: isPlanted },
    );
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => inLane(lane)));
  report();
  // A world in which everything or nothing is refused would show little.
  expect(totals.worlds).toBeGreaterThanOrEqual(worldCount);
  expect(totals.refused).toBeGreaterThan(totals.succeeded / 10);
  expect(totals.succeeded).toBeGreaterThan(totals.worlds * 3);
});
