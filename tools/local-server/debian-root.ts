import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { findDebianArchive } from "./debian-archive.ts";
import type { HeldLock } from "./exclusive-lock.ts";
import { runLoggedStep } from "./logged-step.ts";

const SUITE = "forky";
const DEBOOTSTRAP = "/usr/sbin/debootstrap";
/** bookworm's debootstrap does not know forky. Its script for sid fits every unreleased suite. */
const SCRIPT = "/usr/share/debootstrap/scripts/sid";

/** One folder for all checkouts of this machine: it takes a minute and half a gigabyte. */
export function debianRootFolder(): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return resolve(process.env.SVC_DEBIAN_ROOT || join(cache, "svc", "debian"));
}

export function debianRootLog(): string {
  return `${debianRootFolder()}.log`;
}

export function debianRootLock(): string {
  return `${debianRootFolder()}.lock`;
}

/** Returns why this machine cannot create or use a Debian root, or nothing if it can. */
export function reasonAgainstDebianRoot(): string | undefined {
  const isDebianLike = process.platform === "linux" && existsSync("/usr/bin/apt-get");
  if (!isDebianLike) return "this is not a Debian-like Linux";
  if (process.getuid?.() !== 0) return "chroot needs the root user";
  return undefined;
}

/**
 * Built next to its target and renamed when `furnish` is done, so that an interrupted build never counts as finished.
 */
export function buildDebianRoot(lock: HeldLock, furnish: (building: string) => void): void {
  const building = `${debianRootFolder()}.building`;
  runLoggedStep({ log: debianRootLog(), command: ["rm", "-rf", "--one-file-system", building] });
  const archive = prepareThisMachine(lock);
  mkdirSync(building, { recursive: true });
  runLoggedStep({
    log: debianRootLog(),
    // debootstrap mounts /proc and /sys. In a private mount namespace not even a kill leaves them mounted.
    command: ["unshare", "--mount", DEBOOTSTRAP, "--variant=minbase", SUITE, building, archive, SCRIPT],
    heldUntilDone: lock,
  });
  // Packages may not start their services: 101 means "forbidden by policy" to invoke-rc.d.
  writeFileSync(join(building, "usr/sbin/policy-rc.d"), "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  furnish(building);
  renameSync(building, debianRootFolder());
}

export function updatePackageLists(root: string, lock: HeldLock): void {
  // debootstrap copied it once; on a laptop it changes with every network.
  copyFileSync("/etc/resolv.conf", join(root, "etc/resolv.conf"));
  runApt(root, lock, ["update"]);
}

/** Needs fresh package lists. Does nothing for installed packages. */
export function installPackages(root: string, lock: HeldLock, packages: string[]): void {
  runApt(root, lock, ["install", "--yes", "--no-install-recommends", ...packages]);
  runApt(root, lock, ["clean"]);
}

export function namesOfKnownPackages(root: string): string[] {
  const result = spawnSync("chroot", [root, "apt-cache", "pkgnames"], {
    encoding: "utf8",
    env: environmentInside(),
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status !== 0) {
    throw new Error(`apt-cache failed in ${root}: ${result.error?.message ?? result.stderr}`);
  }
  return result.stdout.split("\n");
}

/** Variables of this machine mean nothing inside (TMPDIR, LANG, PGDATA), except the proxies. */
export function environmentInside(): Record<string, string> {
  const proxies = Object.entries(process.env).filter(([name]) => /^(https?|no)_proxy$/i.test(name));
  return {
    ...(Object.fromEntries(proxies) as Record<string, string>),
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: "/root",
    LC_ALL: "C.UTF-8",
    DEBIAN_FRONTEND: "noninteractive",
  };
}

/** A pid file outlives a crash or a reboot, and its number may belong to another process by then. */
export function runsInDebianRoot(pid: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/root`) === realpathSync(debianRootFolder());
  } catch {
    return false;
  }
}

/** Returns the archive to build from. */
function prepareThisMachine(lock: HeldLock): string {
  if (!existsSync(DEBOOTSTRAP) || findDebianArchive() === undefined) {
    const log = debianRootLog();
    const install = ["install", "--yes", "--no-install-recommends", "debootstrap"];
    runLoggedStep({ log, command: ["apt-get", "update"], heldUntilDone: lock });
    runLoggedStep({ log, command: ["apt-get", ...install], heldUntilDone: lock });
  }
  const archive = findDebianArchive();
  if (archive) return archive;
  throw new Error(
    "This machine's apt has no Debian archive to build from (see apt-get indextargets). " +
      "Set DATABASE_URL to a PostgreSQL 18 with pgvector instead, for example the one in compose.yaml.",
  );
}

function runApt(root: string, lock: HeldLock, args: string[]): void {
  // Some packages want /proc while they are installed (systemd-tmpfiles of postgresql-common). A mirror may
  // lag behind: its signed lists of a testing suite expire after a week.
  const insideWithProc = ["unshare", "--mount-proc", `--root=${root}`] as const;
  runLoggedStep({
    log: debianRootLog(),
    command: [...insideWithProc, "apt-get", "-o", "Acquire::Check-Valid-Until=false", ...args],
    env: environmentInside(),
    heldUntilDone: lock,
  });
}
