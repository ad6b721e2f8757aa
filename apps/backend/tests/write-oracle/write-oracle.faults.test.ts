import { loadCatalog } from "@svc/command-router/catalog";
import { Database } from "@svc/database/database";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { threeModels } from "../../testing/embedders/word-embedder.ts";
import { TestBackend } from "../../testing/test-backend.ts";
import { writes } from "./lines/writes.ts";
import { OracleTenant } from "./oracle-tenant.ts";
import { Tally } from "./tally.ts";
import { writeScript } from "./write-step.ts";

/**
 * People of every kind run every command that changes something. An independent model says whether each line succeeds
 * and what it changes; the tables must agree, and no answer may contain anything that its caller cannot read. SVC_SEED
 * repeats a run.
 */
const lanes = 4;
const worldCount = faultSize(5_000, 24, 1_500);
const seed = runSeed();

let backend: TestBackend;
let admin: Database;
beforeAll(async () => {
  backend = await TestBackend.start({ maxConnections: 8, embedders: threeModels() });
  admin = new Database({ url: backend.testDatabase.adminUrl, maxConnections: lanes });
});
afterAll(async () => {
  await admin.close();
  await backend.close();
});

test("the model knows every command that changes something", async () => {
  const catalog = await loadCatalog(featuresFolder);
  const changing = catalog.commands
    // Deciding is what tests/agents is about.
    .filter(({ effect, group }) => effect !== "read" && group !== "approvals" && group !== "sessions")
    .map(({ path }) => path);
  expect(Object.keys(writes).sort()).toEqual(changing.sort());
});

test("people change only what they have rights to, and learn nothing else", {
  timeout: 3_600_000,
}, async () => {
  const tally = new Tally();
  let worlds = 0;
  const inLane = async (lane: number) => {
    let tenant = await OracleTenant.build(backend, admin);
    let isSpoilt = false;
    const property = fc.asyncProperty(writeScript, async (steps) => {
      if (isSpoilt) tenant = await OracleTenant.build(backend, admin);
      isSpoilt = true;
      const world = await tenant.newWorld();
      try {
        for (const step of steps) await world.take(step);
      } catch (error) {
        throw new Error(`${world.story.join("\n")}\n${(error as Error).message}`, { cause: error });
      }
      isSpoilt = false;
      worlds += 1;
      tally.add(world.tally);
    });
    const isPlanted = process.env.SVC_FAULTS === "plants";
    await fc.assert(property, {
      numRuns: Math.ceil(worldCount / lanes),
      seed: seed + lane,
      endOnFailure: isPlanted,
    });
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => inLane(lane)));

  process.stdout.write(`write-oracle: ${worlds} worlds, ${tally}, SVC_SEED=${seed}
`);
  expect(worlds).toBeGreaterThanOrEqual(worldCount);
  const isFull = process.env.SVC_FAULTS === "full";
  const idle = Object.keys(writes).filter((command) => {
    const { committed, refused } = tally.of(command);
    return committed === 0 || refused === 0;
  });
  if (isFull) expect(idle, "these never succeeded, or were never refused").toEqual([]);
});
