import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

export interface FeatureModule<Definition> {
  feature: string;
  /** The file's name without its extension. */
  name: string;
  definition: Definition;
}

/** What a feature can provide, and the method that each must have. */
const entryPoints = {
  commands: "run",
  jobs: "run",
  turns: "claim",
  listeners: "run",
  "search-sources": "show",
  "access-subjects": "locate",
  completions: "find",
} as const;

/**
 * The default export of every `<features>/<feature>/<kind>/<name>.ts`, except tests. Everything that a
 * feature provides is found like this: to add one, add a file.
 */
export async function loadFeatureModules<Definition extends object>(
  featuresFolder: string,
  kind: keyof typeof entryPoints,
): Promise<FeatureModule<Definition>[]> {
  const features = await readdir(featuresFolder, { withFileTypes: true });
  const loaded = await Promise.all(
    features
      .filter((entry) => entry.isDirectory())
      .map(async ({ name: feature }) => {
        const files = await listFiles(join(featuresFolder, feature, kind));
        return Promise.all(
          files.map(async (file) => ({
            feature,
            name: basename(file, ".ts"),
            definition: await importDefinition<Definition>(file, entryPoints[kind]),
          })),
        );
      }),
  );
  return loaded.flat();
}

async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => join(folder, name));
}

async function importDefinition<Definition extends object>(file: string, does: string): Promise<Definition> {
  const module: { default?: Definition & Record<string, unknown> } = await import(
    pathToFileURL(file).href
  ).catch((error: unknown) => {
    throw new Error(`${file} cannot be loaded`, { cause: error });
  });
  if (typeof module.default?.[does] === "function") return module.default;
  throw new Error(`${file} does not export a definition by default`);
}
