interface LockEntry {
  version?: string;
  integrity?: string;
  resolved?: string;
  /** A workspace: its content is in this repository. */
  link?: boolean;
  hasInstallScript?: boolean;
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

/**
 * Packages whose install scripts may run, with the rights of whoever installs: npm runs what `allowScripts` does not
 * mention, or allows, and cannot pin a version without addresses in the lock file. What a script would fetch has no digest.
 */
export function findScriptProblems(
  entries: LockEntries,
  allowScripts: Readonly<Record<string, boolean>>,
): string[] {
  const scripted = Object.entries(entries)
    .filter(([place, entry]) => isInstalled(place, entry) && entry.hasInstallScript)
    .map(([place]) => place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length));
  const denied = Object.keys(allowScripts).filter((name) => allowScripts[name] === false);
  return [
    ...scripted.filter((name) => !denied.includes(name)).map((name) => `${name}: its install script runs`),
    ...Object.keys(allowScripts)
      .filter((name) => !scripted.includes(name))
      .map((name) => `${name}: allowScripts names it, and it has no install script`),
  ];
}
