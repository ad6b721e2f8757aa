import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildDebianRoot,
  debianRootFolder,
  installPackages,
  namesOfKnownPackages,
  updatePackageLists,
} from "./debian-root.ts";
import type { HeldLock } from "./exclusive-lock.ts";

export function installPostgres(lock: HeldLock): void {
  console.error(`building a Debian root in ${debianRootFolder()}, about a minute, once`);
  buildDebianRoot(lock, (building) => {
    updatePackageLists(building, lock);
    const packages = choosePackages(namesOfKnownPackages(building));
    console.error(`installing ${packages.join(", ")}`);
    forbidDebianCluster(building);
    installPackages(building, lock, packages);
  });
}

/** The highest major for which the distribution has both extensions. */
function choosePackages(knownNames: string[]): string[] {
  const available = new Set(knownNames);
  const choice = knownNames
    .flatMap((name) => /^postgresql-(\d+)$/.exec(name)?.[1] ?? [])
    .sort((a, b) => Number(b) - Number(a))
    .map((major) => [
      `postgresql-${major}`,
      `postgresql-${major}-pgvector`,
      `postgresql-${major}-pg-textsearch`,
    ])
    .find((packages) => packages.every((name) => available.has(name)));
  if (choice) return choice;
  throw new Error("The Debian archive has no PostgreSQL with both pgvector and pg-textsearch.");
}

/** Debian's packages create their own cluster on installation, unless told otherwise. */
function forbidDebianCluster(root: string): void {
  const folder = join(root, "etc/postgresql-common");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "createcluster.conf"), "create_main_cluster = false\n");
}
