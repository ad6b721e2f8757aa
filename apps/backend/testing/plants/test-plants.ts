import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { findGuards } from "./guards.ts";
import { type Plant, plantIn } from "./plant.ts";

const repository = resolve(import.meta.dirname, "../../../..");
/** What tests of the backend and of svc need. */
const parts = ["package.json", "tsconfig.json", "vitest.config.ts", "apps/backend", "apps/cli", "packages"];

/**
 * Checks that the given test finds each mistake planted in a copy. The gate does it for the guards that SVC_PLANTS names
 * and for every plant of the tests that it names: those that a change touches.
 */
export function testPlants(plants: readonly Plant[], by: { test: string; says: RegExp }): void {
  test.for(plants.filter((plant) => isSelected(plant, by.test)))(
    "is found: $mistake",
    { timeout: 900_000 },
    async (plant) => {
      const run = runWithMistake(plant, by.test);
      await expect(run).rejects.toMatchObject({ stderr: expect.stringMatching(plant.says ?? by.says) });
    },
  );
}

/** Plants a mistake in a copy of the repository and runs a test there. */
async function runWithMistake(plant: Plant, test: string) {
  const folder = await mkdtemp(join(tmpdir(), "svc-plant-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await linkModules(folder);
  for (const part of parts) {
    await cp(join(repository, part), join(folder, part), { recursive: true });
  }
  const path = join(folder, fileOf(plant));
  await writeFile(path, plantIn(await readFile(path, "utf8"), plant));
  const words = ["node_modules/vitest/vitest.mjs", "run", "--project=tests", "--project=isolated", test];
  return promisify(execFile)(process.execPath, words, {
    cwd: folder,
    env: { ...process.env, SVC_FAULTS: "plants" },
  });
}

function isSelected(plant: Plant, test: string): boolean {
  const selected = process.env.SVC_PLANTS?.split(",");
  const place = "guard" in plant ? plant.guard : plant.migration;
  return selected === undefined || selected.includes(place) || selected.includes(test);
}

function fileOf(plant: Plant): string {
  if ("migration" in plant) return `packages/database/migrations/${plant.migration}`;
  const [file] = findGuards(repository).get(plant.guard) ?? [];
  if (file === undefined) throw new Error(`there is no \`// guard: ${plant.guard}\``);
  return file;
}

/** Third-party modules from here, our own from the copy. */
async function linkModules(folder: string): Promise<void> {
  const modules = join(repository, "node_modules");
  await mkdir(join(folder, "node_modules", "@svc"), { recursive: true });
  for (const name of await readdir(modules)) {
    if (name !== "@svc") await symlink(join(modules, name), join(folder, "node_modules", name));
  }
  for (const name of await readdir(join(repository, "packages"))) {
    await symlink(join(folder, "packages", name), join(folder, "node_modules", "@svc", name));
  }
}
