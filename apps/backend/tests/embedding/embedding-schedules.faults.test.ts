import { faultSize } from "@svc/testing/fault-size";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EmbeddingWorld } from "./embedding-world.ts";

/**
 * Nothing is lost between a change and its vectors: changes, trash, opting in and out, models that are adopted and
 * dropped, two workers that stop before each transaction and each call, crashes and expired leases, in any order. After
 * a drain, every file in a workspace with semantic search has the vectors of its content for each model, no other file
 * has any, and nothing was paid for twice.
 */
const schedules = faultSize(20_000, 120, 4_000);
const lanes = 4;
const happenings =
  "change,trash,purge,flip,drop,model,drop of a model,turn,finished turn,crash,wait,lost answers".split(",");

let testDatabase: TestDatabase;
let parts: Awaited<ReturnType<typeof EmbeddingWorld.open>>;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  parts = await EmbeddingWorld.open(testDatabase);
});
afterAll(async () => {
  await parts.writers.close();
  await parts.workers.close();
  await parts.admin.end();
  await testDatabase.drop();
});

const worker = fc.nat({ max: 1 });
const file = fc.nat({ max: 1 });
const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("change" as const), on: file }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("trash" as const), on: file }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("purge" as const), on: file }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("flip" as const), on: fc.constant(0) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("model" as const), on: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("drop" as const), on: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("wait" as const), on: fc.constant(0) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("run" as const), on: fc.constant(0) }) },
  { weight: 14, arbitrary: fc.record({ kind: fc.constant("step" as const), on: worker }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("turn" as const), on: worker }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("crash" as const), on: worker }) },
);
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;
const schedule = fc.array(action, { minLength: 6, maxLength: 60, size: "max" });
/** Found once in some ten thousand: a file is purged while a worker that adds a second model holds its text. */
const purgedWhileClaimed = (
  ["turn", "model", "step", "run", "step", "trash", "purge", "turn", "step", "step"] as const
).map((kind) => ({ kind, on: 0 }) as Action);

test("after a drain every file has what it should have", { timeout: 7_200_000 }, async () => {
  const counts: Record<string, number> = {};
  const lane = () =>
    fc.assert(
      fc.asyncProperty(schedule, async (actions) => {
        const world = new EmbeddingWorld(parts);
        await world.begin();
        await world.change(0);
        await world.flip();
        await world.startRun();
        for (const { kind, on } of actions) await act(world, kind, on);
        await world.end();
        for (const [what, times] of Object.entries(world.counts)) counts[what] = (counts[what] ?? 0) + times;
      }),
      {
        numRuns: Math.ceil(schedules / lanes),
        examples: [[purgedWhileClaimed]],
        endOnFailure: process.env.SVC_FAULTS === "plants",
      },
    );
  await Promise.all(Array.from({ length: lanes }, lane));
  // What never happened was not tested.
  for (const what of happenings) expect(counts[what], what).toBeGreaterThan(0);
  process.stdout.write(`embedding: ${schedules} schedules, ${JSON.stringify(counts)}\n`);
});

async function act(world: EmbeddingWorld, kind: string, on: number): Promise<void> {
  switch (kind) {
    case "change":
      return world.change(on);
    case "trash":
      return world.trash(on);
    case "purge":
      return world.purge(on);
    case "flip":
      return world.flip();
    case "model":
      return world.changeModel();
    case "drop":
      return world.dropAfterGrace();
    case "run":
      return world.startRun();
    case "wait":
      return world.workers.wait();
    case "turn":
      return world.workers.finishTurn(on);
    case "crash":
      return world.workers.crash(on);
    default:
      return world.workers.step(on);
  }
}
