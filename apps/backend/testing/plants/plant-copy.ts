import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { findGuards } from "@svc/testing/guards";
import { type Plant, plantIn } from "./plant.ts";

export const repository = resolve(import.meta.dirname, "../../../..");

/** Plants a mistake in a copy of the repository. */
export async function plantInCopy(folder: string, plant: Plant): Promise<void> {
  const path = join(folder, fileOf(plant));
  await writeFile(path, plantIn(await readFile(path, "utf8"), plant));
}

/** Third-party modules from here, our own from the copy. */
export async function linkModules(folder: string): Promise<void> {
  const modules = join(repository, "node_modules");
  await mkdir(join(folder, "node_modules", "@svc"), { recursive: true });
  for (const name of await readdir(modules)) {
    if (name !== "@svc") await symlink(join(modules, name), join(folder, "node_modules", name));
  }
  for (const name of await readdir(join(repository, "packages"))) {
    await symlink(join(folder, "packages", name), join(folder, "node_modules", "@svc", name));
  }
}

/** Relative to the repository. */
export function fileOf(plant: Plant): string {
  if ("migration" in plant) return `packages/database/migrations/${plant.migration}`;
  const [file] = findGuards(repository).get(plant.guard) ?? [];
  if (file === undefined) throw new Error(`there is no \`// guard: ${plant.guard}\``);
  return file;
}
