import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { debianRootFolder, debianRootLog, environmentInside, runsInDebianRoot } from "./debian-root.ts";
import { runLoggedStep } from "./logged-step.ts";
import { postgresSettings } from "./postgres-settings.ts";

/** Relative to the Debian root, with a folder for each major. */
const PROGRAMS = "usr/lib/postgresql";
const SERVER_LOG = "var/log/postgresql/svc.log";
/** A server that was killed during a bulk load replays its log first. */
const PATIENTLY = ["--wait", "--timeout=120"];

type RunningCluster = { readonly port: number; readonly isReady: boolean };

export function isPostgresInstalled(): boolean {
  return existsSync(join(debianRootFolder(), PROGRAMS));
}

export function runningCluster(): RunningCluster | undefined {
  if (!isPostgresInstalled()) return undefined;
  const pidFile = join(debianRootFolder(), dataFolder(), "postmaster.pid");
  if (!existsSync(pidFile)) return undefined;
  // Line by line: pid, data folder, start time, port, socket folder, address, shared memory, state.
  const [pid, , , port, , , , state] = readFileSync(pidFile, "utf8").split("\n");
  if (!pid || !port || !runsInDebianRoot(pid)) return undefined;
  return { port: Number(port), isReady: state?.trim() === "ready" };
}

/** Undefined if the local server is not running. */
export function postmasterPid(): number | undefined {
  if (!runningCluster()) return undefined;
  const [pid] = readFileSync(join(debianRootFolder(), dataFolder(), "postmaster.pid"), "utf8").split("\n");
  return Number(pid);
}

export function startCluster(port: number): void {
  const root = debianRootFolder();
  if (!existsSync(join(root, dataFolder()))) createCluster();
  // Written at every start, so that a change of the settings reaches the clusters that exist.
  writeFileSync(join(root, dataFolder(), "postgresql.conf"), postgresSettings(port));
  // The server writes to pg_ctl's log, so a failed start shows the server's own messages.
  runAsPostgres("pg_ctl", ["start", ...PATIENTLY, "-D", `/${dataFolder()}`], join(root, SERVER_LOG));
}

export function stopCluster(): void {
  runAsPostgres("pg_ctl", ["stop", "--mode=fast", ...PATIENTLY, "-D", `/${dataFolder()}`]);
}

function createCluster(): void {
  const building = `${dataFolder()}.building`;
  rmSync(join(debianRootFolder(), building), { recursive: true, force: true });
  // builtin sorts the same on every machine; full-text search uses libc's C.UTF-8 to recognise letters.
  const locale = ["--locale=C.UTF-8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const access = ["--username=postgres", "--auth=trust"];
  runAsPostgres("initdb", [...access, "--encoding=UTF8", ...locale, "-D", `/${building}`]);
  renameSync(join(debianRootFolder(), building), join(debianRootFolder(), dataFolder()));
}

function runAsPostgres(program: string, args: string[], log = debianRootLog()): void {
  const path = `${postgresPrograms()}/${program}`;
  runLoggedStep({
    log,
    command: ["chroot", "--userspec=postgres:postgres", debianRootFolder(), path, ...args],
    env: environmentInside(),
  });
}

/** Inside the Debian root. */
export function postgresPrograms(): string {
  return `/${PROGRAMS}/${installedMajor()}/bin`;
}

/** Relative to the Debian root. */
function dataFolder(): string {
  return `var/lib/postgresql/svc-${installedMajor()}`;
}

function installedMajor(): number {
  const majors = readdirSync(join(debianRootFolder(), PROGRAMS)).map(Number);
  return Math.max(...majors);
}
