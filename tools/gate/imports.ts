import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

/** Files of the repository that a file imports, directly or through others, and itself. Paths are relative to the repository. */
export function importsOf(entry: string, read = readImports): Set<string> {
  const found = new Set<string>();
  const pending = [entry];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    pending.push(...read(file));
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
