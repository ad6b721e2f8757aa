import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { faultSize } from "@svc/testing/fault-size";
import { expect, onTestFinished, test } from "vitest";

const repository = resolve(import.meta.dirname, "../../..");

export interface Plant {
  mistake: string;
  file: string;
  code: string;
  planted: string;
  /** What the test says of it, where it is not what it says of all. */
  says?: RegExp;
}

/** Each mistake, planted in a copy, is found by the test that should; of a sample only the first `sampled`. */
export function testPlants(
  plants: readonly Plant[],
  by: { project: "unit" | "faults"; test: string; says: RegExp },
  sampled = 1,
): void {
  // All of them, also where only some are planted: code that was changed since would be noticed by nobody.
  test.for(plants)("has its guard: $mistake", async ({ file, code }) => {
    const text = await readFile(join(repository, file), "utf8");
    expect(text.split(code).length, `it stands once in ${file}`).toBe(2);
  });
  test.for(plants.slice(0, faultSize(plants.length, sampled)))(
    "is found: $mistake",
    { timeout: 900_000 },
    async (plant) => {
      const run = runWithMistake(plant, by.project, by.test);
      await expect(run).rejects.toMatchObject({ stderr: expect.stringMatching(plant.says ?? by.says) });
    },
  );
}

/** Plants a mistake in a copy of the repository and runs a test there; gives what that said. */
async function runWithMistake({ file, code, planted }: Plant, project: string, test: string) {
  const folder = await mkdtemp(join(tmpdir(), "svc-plant-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await linkModules(folder);
  for (const part of ["package.json", "tsconfig.json", "vitest.config.ts", "apps/backend", "packages"]) {
    await cp(join(repository, part), join(folder, part), { recursive: true });
  }
  const path = join(folder, file);
  const text = await readFile(path, "utf8");
  await writeFile(
    path,
    text.replace(code, () => planted),
  );
  const words = ["node_modules/vitest/vitest.mjs", "run", "--project", project, test];
  return promisify(execFile)(process.execPath, words, {
    cwd: folder,
    env: { ...process.env, SVC_FAULTS: "plants" },
  });
}

/** Those of others as they are, our own from the copy. */
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
