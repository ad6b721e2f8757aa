import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

/** Files of the repository that a file imports, and over how many imports; itself over none. Paths are relative to it. */
export function importsOf(entry: string): Map<string, number> {
  const found = new Map([[entry, 0]]);
  // A map is visited in the order of its insertion, also what is inserted meanwhile: nearest files first.
  for (const [file, distance] of found) {
    for (const imported of readImports(file)) {
      if (!found.has(imported)) found.set(imported, distance + 1);
    }
  }
  return found;
}

const known = new Map<string, string[]>();

/** What a file imports itself. */
function readImports(file: string): string[] {
  let imports = known.get(file);
  if (imports === undefined) {
    const { importedFiles } = ts.preProcessFile(readFileSync(file, "utf8"));
    imports = importedFiles.flatMap(({ fileName }) => pathOf(file, fileName) ?? []);
    known.set(file, imports);
  }
  return imports;
}

/** Ours are relative, or modules of a package: `@svc/search/query` is packages/search/src/query.ts. */
function pathOf(importer: string, specifier: string): string | undefined {
  const [, name, module] = /^@svc\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
  const path = name
    ? `packages/${name}/src/${module}.ts`
    : specifier.startsWith(".")
      ? normalize(join(dirname(importer), specifier))
      : undefined;
  return path?.endsWith(".ts") && existsSync(path) ? path : undefined;
}
