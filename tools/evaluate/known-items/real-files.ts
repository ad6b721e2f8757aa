import { globSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface RealFile {
  /** From the folder of installed packages. */
  path: string;
  content: Buffer;
}

const packages = join(import.meta.dirname, "..", "..", "..", "node_modules");
/** Texts for people, and messages in many languages. */
const wanted = ["**/*.md", "**/*.MD", "**/*.markdown", "yargs/locales/*.json", "zod/v4/locales/*.js"];
const bytes = { least: 200, most: 100_000 };

/**
 * Texts that people wrote and that every checkout has: documentation of the installed packages. Most files are named
 * alike, in folders that tell them apart. Packages for one platform are left out, so that all machines have the same.
 */
export function realFiles(): RealFile[] {
  return globSync(wanted, {
    cwd: packages,
    exclude: (path) => path === "node_modules" || path.startsWith("."),
  })
    .sort()
    .filter((path) => isForEveryMachine(packageOf(path)))
    .map((path) => ({ path, content: readFileSync(join(packages, path)) }))
    .filter(({ content }) => content.length >= bytes.least && content.length <= bytes.most);
}

function packageOf(path: string): string {
  const [scope = "", name = ""] = path.split("/");
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}

const known = new Map<string, boolean>();

function isForEveryMachine(name: string): boolean {
  const answer = known.get(name) ?? readIsForEveryMachine(name);
  known.set(name, answer);
  return answer;
}

function readIsForEveryMachine(name: string): boolean {
  const folder = join(packages, name);
  // Our own packages are links.
  if (lstatSync(folder).isSymbolicLink()) return false;
  const described = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
  return described.os === undefined && described.cpu === undefined;
}
