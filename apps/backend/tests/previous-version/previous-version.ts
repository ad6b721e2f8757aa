import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type Migration, migrationNames, migrationsFolder, readMigrations } from "@svc/database/migrations";

const repository = resolve(import.meta.dirname, "../../../..");

/** The commit before the newest migration, in a separate folder: its own code, with the installed packages. */
export class PreviousVersion {
  /** The migrations that it does not have: the newest, and those of the same commit. */
  readonly lacking: readonly Migration[];
  readonly folder: string;

  private constructor(lacking: readonly Migration[], folder: string) {
    this.lacking = lacking;
    this.folder = folder;
  }

  static async checkOut(): Promise<PreviousVersion> {
    const migrations = await readMigrations(migrationsFolder);
    const newest = migrations.at(-1);
    if (!newest) throw new Error("there are no migrations");
    const folder = await mkdtemp(join(tmpdir(), "svc-previous-"));
    const archive = join(folder, "archive.tar");
    git("archive", "--output", archive, commitBefore(newest.name));
    execFileSync("tar", ["-xf", archive, "-C", folder]);
    providePackages(folder);
    const known = await migrationNames(migrationsIn(folder));
    return new PreviousVersion(
      migrations.filter(({ name }) => !known.includes(name)),
      folder,
    );
  }

  get migrationsFolder(): string {
    return migrationsIn(this.folder);
  }

  /** The migration that it cannot work with, by its own words. */
  async refusing(): Promise<Migration | undefined> {
    const newestKnown = (await migrationNames(this.migrationsFolder)).at(-1) ?? "";
    return this.lacking.find(({ contractAfter }) => contractAfter !== null && contractAfter > newestKnown);
  }

  /** Whether its processes compare themselves with the schema. */
  get comparesSchemas(): boolean {
    return existsSync(join(this.folder, "apps/backend/src/platform/health/schema-check.ts"));
  }

  /** Its tests then create their databases with the new schema. */
  async adoptSchema(): Promise<void> {
    await cp(migrationsFolder, this.migrationsFolder, { recursive: true });
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

function migrationsIn(folder: string): string {
  return join(folder, "packages/database/migrations");
}

function commitBefore(migration: string): string {
  const path = `packages/database/migrations/${migration}`;
  const added = git("log", "-1", "--no-renames", "--diff-filter=A", "--format=%H", "--", path);
  // A migration that is not committed yet: the version before it is the last commit.
  const before = added === "" ? "HEAD" : `${added}^`;
  try {
    return git("rev-parse", "--verify", "--quiet", before);
  } catch {
    throw new Error(
      `The commit before ${migration} is not in this clone. Fetch the history: git fetch --unshallow`,
    );
  }
}

/** Links what is installed here, and installs only if a process would load other versions. */
function providePackages(folder: string): void {
  if (lockedForProcesses(folder) !== lockedForProcesses(repository)) {
    const options = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
    execFileSync("npm", ["ci", ...options], { cwd: folder, stdio: "ignore" });
    return;
  }
  const packages = join(folder, "node_modules");
  mkdirSync(join(packages, "@svc"), { recursive: true });
  for (const name of readdirSync(join(repository, "node_modules"))) {
    if (name !== "@svc") symlinkSync(join(repository, "node_modules", name), join(packages, name));
  }
  for (const manifest of globSync("{apps,packages}/*/package.json", { cwd: folder })) {
    const workspace = dirname(manifest);
    const { name } = JSON.parse(readFileSync(join(folder, manifest), "utf8")) as { name: string };
    symlinkSync(join(folder, workspace), join(packages, name));
    const nested = join(repository, workspace, "node_modules");
    if (existsSync(nested)) symlinkSync(nested, join(folder, workspace, "node_modules"));
  }
}

function lockedForProcesses(folder: string): string {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean; integrity?: string }>;
  };
  const loaded = Object.entries(packages).filter(([, { dev, integrity }]) => !dev && integrity);
  return JSON.stringify(loaded.map(([place, { integrity }]) => [place, integrity]));
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim();
}
