import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished } from "vitest";

const repository = resolve(import.meta.dirname, "../../..");

export interface Plant {
  mistake: string;
  file: string;
  code: string;
  planted: string;
}

/** All of them, also where only some are planted: code that was changed since would be noticed by nobody. */
export async function expectGuards(plants: readonly Plant[]): Promise<void> {
  for (const { mistake, file, code } of plants) {
    const text = await readFile(join(repository, file), "utf8");
    expect(text.split(code).length, `the guard against "${mistake}" stands once in ${file}`).toBe(2);
  }
}

/** Plants a mistake in a copy of the repository and runs a test there; gives what that said. */
export async function runWithMistake({ file, code, planted }: Plant, project: string, test: string) {
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
