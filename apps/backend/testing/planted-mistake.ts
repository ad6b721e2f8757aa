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
  /** What the test reports for this mistake, if it differs from the others. */
  says?: RegExp;
}

/** Checks that the given test finds each mistake planted in a copy; in a sample only the first `sampled`. */
export function testPlants(
  plants: readonly Plant[],
  by: { project: "unit" | "faults"; test: string; says: RegExp },
  sampled = 1,
): void {
  // All of them, even if only some are planted; otherwise nobody would notice changed code.
  test.for(plants)("has its guard: $mistake", async ({ file, code }) => {
    const text = await readFile(join(repository, file), "utf8");
    expect(text.split(code).length, `it must appear once in ${file}`).toBe(2);
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

/** Plants a mistake in a copy of the repository and runs a test there; returns its output. */
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
