import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { Plant } from "./plant.ts";
import { linkModules, plantInCopy, repository } from "./plant-copy.ts";

/** What tests of the backend and of svc need. */
const parts = [
  "package.json",
  "tsconfig.json",
  "vitest.config.ts",
  "apps/backend",
  "apps/cli",
  "packages",
  "tools/local-server",
];

/**
 * Checks that the given test finds each mistake planted in a copy. Without SVC_PLANTS each one; the gate names the guards and
 * the migrations that a change touches, and the tests, whose first plant is enough (`*` names every test).
 */
export function testPlants(plants: readonly Plant[], by: { test: string; says: RegExp }): void {
  for (const [index, plant] of plants.entries()) {
    const isDue = isSelected(plant) || (index === 0 && isSelectedTest(by.test));
    test.runIf(isDue)(`is found: ${plant.mistake}`, { timeout: 900_000 }, async () => {
      const run = runWithMistake(plant, by.test);
      await expect(run).rejects.toMatchObject({ stderr: expect.stringMatching(plant.says ?? by.says) });
    });
  }
}

/** Plants a mistake in a copy of the repository and runs a test there. */
async function runWithMistake(plant: Plant, test: string) {
  const folder = await mkdtemp(join(tmpdir(), "svc-plant-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await linkModules(folder);
  for (const part of parts) {
    await cp(join(repository, part), join(folder, part), { recursive: true });
  }
  await plantInCopy(folder, plant);
  const words = ["node_modules/vitest/vitest.mjs", "run", "--project=tests", "--project=isolated", test];
  return promisify(execFile)(process.execPath, words, {
    cwd: folder,
    // The examples are the same every night: whether one is found must not depend on luck.
    env: { ...process.env, SVC_FAULTS: "plants", SVC_SEED: undefined },
  });
}

const selected = process.env.SVC_PLANTS?.split(",");

function isSelected(plant: Plant): boolean {
  return selected === undefined || selected.includes("guard" in plant ? plant.guard : plant.migration);
}

function isSelectedTest(test: string): boolean {
  return selected === undefined || selected.includes("*") || selected.includes(test);
}
