import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { debianRootFolder, debianRootLock, reasonAgainstDebianRoot } from "../local-server/debian-root.ts";
import { withExclusiveLock } from "../local-server/exclusive-lock.ts";
import { postgresPrograms } from "../local-server/postgres-cluster.ts";
import { installMissing } from "../local-server/rooted-server.ts";
import { cellFolder, cellHosts, onThisMachine, poolerPort, primaryPort } from "./cell-layout.ts";
import { cellMembers, isWhole } from "./cell-members.ts";
import { CellNode } from "./cell-node.ts";
import { CellProgram } from "./cell-program.ts";
import { haproxySettings, patroniSettings, pgbouncerSettings, pgbouncerUsers } from "./cell-settings.ts";

/** A copy of three nodes on a busy machine takes most of it. */
const START_SECONDS = 180;
/** A program that has just been started may not have entered its root yet. */
const SETTLE_SECONDS = 2;
const beginAgain = "To begin again: npm run ha:down && npm run ha:up";

export const nodes = cellHosts.map((host) => new CellNode(host));
const haproxy = new CellProgram("haproxy", primaryPort, [
  "haproxy",
  "-db",
  "-f",
  `${cellFolder}/haproxy.cfg`,
]);
const pgbouncer = new CellProgram("pgbouncer", poolerPort, ["pgbouncer", `${cellFolder}/pgbouncer.ini`]);

const programs = [...nodes.flatMap(({ etcd, patroni }) => [etcd, patroni]), haproxy, pgbouncer];

const installedFiles = [
  ...["/usr/bin/patroni", "/usr/bin/etcd", "/usr/bin/etcdctl", "/usr/sbin/pgbouncer", "/usr/sbin/haproxy"],
  ...["etcd", "dns"].map((module) => `/usr/lib/python3/dist-packages/${module}/__init__.py`),
];

/** Starts what does not run, and returns when the cell can lose its primary. */
export async function startCell(): Promise<"runs already" | "started"> {
  if (allRun() && isWhole(await cellMembers())) return "runs already";
  const obstacle = reasonAgainstDebianRoot();
  if (obstacle) throw new Error(`No cell can be set up here: ${obstacle}.`);
  await withExclusiveLock(debianRootLock(), async (lock) => {
    installMissing(lock, {
      isInstalled: () => installedFiles.every((file) => existsSync(onThisMachine(file))),
      // Patroni reaches etcd through the two Python packages, which it does not ask for itself.
      packages: [
        ...["patroni", "python3-etcd", "python3-dnspython"],
        ...["etcd-server", "etcd-client", "pgbouncer", "haproxy"],
      ],
      takes: "half a minute",
    });
    writeSettings();
    for (const { etcd } of nodes) await etcd.start();
    await startNodes();
    await haproxy.start();
    await pgbouncer.start();
    await untilWhole();
  });
  return "started";
}

/** Returns what happened. */
export async function stopCell(): Promise<string> {
  if (!existsSync(onThisMachine(cellFolder))) return "nothing to stop: this machine has no cell";
  return await withExclusiveLock(debianRootLock(), async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await Promise.all(programs.map((program) => program.kill()));
    rmSync(onThisMachine(cellFolder), { recursive: true });
    return "stopped the cell; its data is deleted";
  });
}

/** Seconds until the cell has a primary and two standbys. */
export function untilWhole(): Promise<number> {
  return until("a primary and two standbys", async () => isWhole(await cellMembers()));
}

/** Resolves with the seconds it took, or fails and names a log to look at. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  for (;;) {
    if (await isSo()) return (performance.now() - start) / 1_000;
    const seconds = (performance.now() - start) / 1_000;
    const ended = seconds > SETTLE_SECONDS ? programs.find(({ hasEnded }) => hasEnded) : undefined;
    if (ended) throw new Error(`${ended.name} has ended. See ${ended.log}. ${beginAgain}`);
    if (seconds > START_SECONDS) {
      throw new Error(
        `The cell has waited ${START_SECONDS} s for ${what}. See ${nodes[0]?.patroni.log}. ${beginAgain}`,
      );
    }
    await sleep(200);
  }
}

function allRun(): boolean {
  return programs.every(({ pid }) => pid !== undefined);
}

/** In a new cell one node first: three at once race for initdb, and one dies. */
async function startNodes(): Promise<void> {
  if (!nodes.some(({ hasData }) => hasData)) {
    await nodes[0]?.patroni.start();
    await until("its first primary", async () =>
      (await cellMembers()).some(({ role, state }) => role === "leader" && state === "running"),
    );
  }
  for (const { patroni } of nodes) await patroni.start();
}

function writeSettings(): void {
  const { uid, gid } = postgresUser();
  const folder = onThisMachine(cellFolder);
  const own = (path: string) => chownSync(path, uid, gid);
  const write = (name: string, text: string) => writeFileSync(`${folder}/${name}`, text);
  mkdirSync(folder, { recursive: true });
  own(folder);
  for (const host of cellHosts) {
    mkdirSync(`${folder}/${host.name}`, { recursive: true });
    own(`${folder}/${host.name}`);
    write(`${host.name}/patroni.yml`, patroniSettings(host, { binFolder: postgresPrograms() }));
  }
  write("haproxy.cfg", haproxySettings());
  write("pgbouncer.ini", pgbouncerSettings());
  write("pgbouncer-users.txt", pgbouncerUsers());
}

/** As the Debian root knows it: this machine may have no such user, or with another number. */
function postgresUser(): { uid: number; gid: number } {
  const line = readFileSync(onThisMachine("/etc/passwd"), "utf8")
    .split("\n")
    .find((each) => each.startsWith("postgres:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  if (uid === undefined || gid === undefined) throw new Error(`${debianRootFolder()} has no user postgres`);
  return { uid: Number(uid), gid: Number(gid) };
}
