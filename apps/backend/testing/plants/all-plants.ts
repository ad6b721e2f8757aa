import { globSync } from "node:fs";
import { join } from "node:path";
import type { Plant } from "./plant.ts";
import { repository } from "./plant-copy.ts";

/** Every planted mistake of the product, in a fixed order. */
export async function allPlants(): Promise<Plant[]> {
  const modules = globSync("apps/backend/tests/*/*-plants.ts", { cwd: repository }).toSorted();
  const loaded = await Promise.all(
    modules.map((path): Promise<Record<string, Plant[]>> => import(join(repository, path))),
  );
  return loaded.flatMap((module) => Object.values(module).flat());
}
