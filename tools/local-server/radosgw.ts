import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { debianRootFolder, debianRootLog, environmentInside, runsInDebianRoot } from "./debian-root.ts";
import { freePort } from "./free-port.ts";
import { runLoggedStep } from "./logged-step.ts";

/**
 * Ceph's S3 gateway without a cluster: one process, objects as files. Its content is for tests, and deleted at the
 * next start. Its other store without a cluster (objects in SQLite, dbstore alone) does not behave like S3: 20.2
 * answers a range with the first bytes of the object, assembles the parts of a large one in the wrong order, and
 * answers 200 and 206.
 */
export interface RunningGateway {
  pid: number;
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Relative to the Debian root. */
const PROGRAM = "usr/bin/radosgw";
const FOLDER = "var/lib/svc-s3";
const STATE = `${FOLDER}/running.json`;
const LOG = "var/log/svc-s3.log";
const START_SECONDS = 60;

export function isGatewayInstalled(): boolean {
  return existsSync(join(debianRootFolder(), PROGRAM));
}

export function runningGateway(): RunningGateway | undefined {
  const state = join(debianRootFolder(), STATE);
  if (!existsSync(state)) return undefined;
  const gateway = JSON.parse(readFileSync(state, "utf8")) as RunningGateway;
  return isGateway(gateway.pid) ? gateway : undefined;
}

export async function startGateway(): Promise<RunningGateway> {
  const root = debianRootFolder();
  rmSync(join(root, FOLDER), { recursive: true, force: true });
  for (const folder of ["objects", "listing"]) mkdirSync(join(root, FOLDER, folder), { recursive: true });
  const port = await freePort();
  const accessKeyId = randomBytes(10).toString("hex");
  const secretAccessKey = randomBytes(20).toString("hex");
  writeFileSync(join(root, FOLDER, "ceph.conf"), settings(port));
  const user = [
    "--uid=svc",
    "--display-name=svc",
    `--access-key=${accessKeyId}`,
    `--secret-key=${secretAccessKey}`,
  ];
  runLoggedStep({
    log: debianRootLog(),
    command: ["chroot", root, "radosgw-admin", ...common, "user", "create", ...user],
    env: environmentInside(),
  });
  const pid = spawnGateway(root);
  const endpoint = `http://127.0.0.1:${port}`;
  await untilItAnswers(endpoint, pid);
  const gateway = { pid, endpoint, region: "us-east-1", accessKeyId, secretAccessKey };
  writeFileSync(join(root, STATE), JSON.stringify(gateway), { mode: 0o600 });
  return gateway;
}

export async function stopGateway({ pid }: RunningGateway): Promise<void> {
  process.kill(pid, "SIGTERM");
  for (let waited = 0; isGateway(pid); waited += 100) {
    // It waits for its own threads for half a minute; there is nothing to lose.
    if (waited === 2_000) process.kill(pid, "SIGKILL");
    await setTimeout(100);
  }
  rmSync(join(debianRootFolder(), FOLDER), { recursive: true, force: true });
}

const common = ["-n", "client.rgw", "--no-mon-config", "-c", `/${FOLDER}/ceph.conf`];

function settings(port: number): string {
  const values = {
    // Users and buckets in SQLite, objects as files in front of it.
    rgw_backend_store: "dbstore",
    rgw_filter: "posix",
    rgw_posix_base_path: `/${FOLDER}/objects`,
    rgw_posix_database_root: `/${FOLDER}/listing`,
    dbstore_db_dir: `/${FOLDER}`,
    rgw_config_store: "dbstore",
    dbstore_config_uri: `file:/${FOLDER}/config.db`,
    rgw_frontends: `beast endpoint=127.0.0.1:${port}`,
    rgw_data: `/${FOLDER}`,
    run_dir: `/${FOLDER}`,
    admin_socket: "",
    debug_rgw: "1/1",
  };
  const lines = Object.entries(values).map(([name, value]) => `${name} = ${value}\n`);
  return `[global]\n${lines.join("")}`;
}

/** Detached, so that it outlives the process that started it. */
function spawnGateway(root: string): number {
  const log = openSync(join(root, LOG), "w");
  // A file gets its name through /proc once it is complete: without /proc every object is lost, without an error.
  const inside = ["--mount-proc", `--root=${root}`, `/${PROGRAM}`];
  const gateway = spawn("unshare", [...inside, ...common, "-d"], {
    stdio: ["ignore", log, log],
    env: environmentInside(),
    detached: true,
  });
  closeSync(log);
  gateway.unref();
  if (gateway.pid === undefined) throw new Error("unshare(1) of util-linux did not run");
  return gateway.pid;
}

async function untilItAnswers(endpoint: string, pid: number): Promise<void> {
  const deadline = Date.now() + START_SECONDS * 1_000;
  while (!(await fetch(endpoint).catch(() => undefined))) {
    if (Date.now() > deadline || !existsSync(`/proc/${pid}`)) {
      throw new Error(`radosgw did not start; see ${join(debianRootFolder(), LOG)}`);
    }
    await setTimeout(50);
  }
}

/** Also by name: the pid may now belong to PostgreSQL, which runs in the same root. */
function isGateway(pid: number): boolean {
  return runsInDebianRoot(String(pid)) && readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "radosgw";
}
