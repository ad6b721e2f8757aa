import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { debianRootFolder, debianRootLog, environmentInside, runsInDebianRoot } from "./debian-root.ts";
import { runLoggedStep } from "./logged-step.ts";
import { type ClusterName, postgresSettings } from "./postgres-settings.ts";

/** Relative to the Debian root, with a folder for each major. */
const PROGRAMS = "usr/lib/postgresql";
const SERVER_LOG = "var/log/postgresql/svc.log";
/** A server that was killed during a bulk load replays its log first. */
const PATIENTLY = ["--wait", "--timeout=120"];

type RunningCluster = { readonly port: number; readonly isReady: boolean };

export function isPostgresInstalled(): boolean {
  return existsSync(join(debianRootFolder(), PROGRAMS));
}

export function runningCluster(name: ClusterName): RunningCluster | undefined {
  if (!isPostgresInstalled()) return undefined;
  const pidFile = join(debianRootFolder(), dataFolder(name), "postmaster.pid");
  if (!existsSync(pidFile)) return undefined;
  // Line by line: pid, data folder, start time, port, socket folder, address, shared memory, state.
  const [pid, , , port, , , , state] = readFileSync(pidFile, "utf8").split("\n");
  if (!pid || !port || !runsInDebianRoot(pid)) return undefined;
  return { port: Number(port), isReady: state?.trim() === "ready" };
}

/** Undefined if it is not running. */
export function postmasterPid(name: ClusterName): number | undefined {
  if (!runningCluster(name)) return undefined;
  const [pid] = readFileSync(join(debianRootFolder(), dataFolder(name), "postmaster.pid"), "utf8").split(
    "\n",
  );
  return Number(pid);
}

export function startCluster(name: ClusterName, port: number): void {
  const root = debianRootFolder();
  const data = dataFolder(name);
  if (!existsSync(join(root, data))) createCluster(data);
  // Written at every start, so that a change of the settings reaches the clusters that exist.
  writeFileSync(join(root, data, "postgresql.conf"), postgresSettings(name, port));
  // The server writes to pg_ctl's log, so a failed start shows the server's own messages.
  runAsPostgres("pg_ctl", ["start", ...PATIENTLY, "-D", `/${data}`], join(root, SERVER_LOG));
}

export function stopCluster(name: ClusterName): void {
  runAsPostgres("pg_ctl", ["stop", "--mode=fast", ...PATIENTLY, "-D", `/${dataFolder(name)}`]);
}

function createCluster(data: string): void {
  const building = `${data}.building`;
  rmSync(join(debianRootFolder(), building), { recursive: true, force: true });
  // builtin sorts the same on every machine; full-text search uses libc's C.UTF-8 to recognise letters.
  const locale = ["--locale=C.UTF-8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const access = ["--username=postgres", "--auth=trust"];
  runAsPostgres("initdb", [...access, "--encoding=UTF8", ...locale, "-D", `/${building}`]);
  renameSync(join(debianRootFolder(), building), join(debianRootFolder(), data));
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
function dataFolder(name: ClusterName): string {
  return `var/lib/postgresql/${name === "development" ? "svc" : "svc-tests"}-${installedMajor()}`;
}

function installedMajor(): number {
  const majors = readdirSync(join(debianRootFolder(), PROGRAMS)).map(Number);
  return Math.max(...majors);
}
