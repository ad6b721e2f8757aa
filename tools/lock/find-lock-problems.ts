interface LockEntry {
  version?: string;
  integrity?: string;
  resolved?: string;
  /** A workspace: its content is in this repository. */
  link?: boolean;
  optionalDependencies?: Record<string, string>;
}

/** By place, as in package-lock.json: `node_modules/a/node_modules/b`; workspaces and the root by their folder. */
export type LockEntries = Record<string, LockEntry>;

/**
 * What keeps a lock file from determining the installed bytes, on every system and from every registry: a package
 * without a digest, an address to download it from, and an optional package (mostly binaries of another system) without
 * an entry.
 */
export function findLockProblems(entries: LockEntries): string[] {
  return Object.entries(entries).flatMap(([place, entry]) => [
    ...(isInstalled(place, entry) ? problemsOf(place, entry) : []),
    ...Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !hasEntry(entries, place, name))
      .map((name) => `${place || "package.json"}: optional ${name} has no entry`),
  ]);
}

function isInstalled(place: string, { link }: LockEntry): boolean {
  return place.includes("node_modules/") && link !== true;
}

function problemsOf(place: string, { integrity, resolved }: LockEntry): string[] {
  return [
    ...(integrity?.startsWith("sha512-") ? [] : [`${place}: no SHA-512 integrity`]),
    ...(resolved === undefined ? [] : [`${place}: downloads from ${resolved}`]),
  ];
}

/** Next to the package that requires it, or in a folder above. */
function hasEntry(entries: LockEntries, place: string, name: string): boolean {
  const folders = place.split("/");
  return folders
    .map((_, index) => folders.slice(0, index + 1).join("/"))
    .concat("")
    .some((folder) => entries[folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`]);
}
