import { chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { debianRootFolder, debianRootLog, environmentInside } from "./debian-root.ts";
import { freePort } from "./free-port.ts";
import { runLoggedStep } from "./logged-step.ts";
import { postgresPrograms } from "./postgres-cluster.ts";

/** Inside the Debian root. */
const PARENT = "var/lib/postgresql";

const locale = ["--locale=C.UTF-8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];

const access = `
host all postgres 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`;

function settings(port: number): string {
  return `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = ''
dynamic_shared_memory_type = 'sysv'
shared_buffers = '32MB'
max_connections = 30
fsync = off
`;
}

/** Small, empty, and with passwords, which the shared server does not check. */
class SpareCluster {
  readonly #folder: string;
  readonly #port: number;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  static async create(): Promise<SpareCluster> {
    const parent = join(debianRootFolder(), PARENT);
    const folder = mkdtempSync(join(parent, "spare-"));
    const { uid, gid } = statSync(parent);
    chownSync(folder, uid, gid);
    const cluster = new SpareCluster(folder, await freePort());
    cluster.#run("initdb", [
      "--username=postgres",
      "--auth=trust",
      "--encoding=UTF8",
      "--no-sync",
      ...locale,
    ]);
    writeFileSync(join(folder, "postgresql.conf"), settings(cluster.#port));
    writeFileSync(join(folder, "pg_hba.conf"), access);
    cluster.#start();
    return cluster;
  }

  /** Of its superuser. */
  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/postgres`;
  }

  /** Restarts it in recovery, where it can be read and not written, until somebody calls pg_promote(). */
  becomeStandby(): void {
    this.#stop("fast");
    writeFileSync(join(this.#folder, "standby.signal"), "");
    this.#start();
  }

  /** Kills it, and starts it again: it recovers from its log. */
  async crash(): Promise<void> {
    const [pid] = readFileSync(join(this.#folder, "postmaster.pid"), "utf8").split("\n");
    process.kill(Number(pid), "SIGKILL");
    // Its backends notice that it is gone, and until the last one has ended it cannot start.
    for (let attempts = 1; ; attempts += 1) {
      await sleep(200);
      try {
        return this.#start();
      } catch (error) {
        if (attempts === 50) throw error;
      }
    }
  }

  remove(): void {
    this.#stop("immediate");
    rmSync(this.#folder, { recursive: true });
  }

  #start(): void {
    this.#run("pg_ctl", ["start", "--wait", "--silent", "--log", `${this.#inside}/server.log`]);
  }

  #stop(mode: "fast" | "immediate"): void {
    this.#run("pg_ctl", ["stop", "--wait", "--silent", `--mode=${mode}`]);
  }

  get #inside(): string {
    return `/${PARENT}/${basename(this.#folder)}`;
  }

  #run(program: string, args: string[]): void {
    const path = `${postgresPrograms()}/${program}`;
    runLoggedStep({
      log: debianRootLog(),
      command: [
        "chroot",
        "--userspec=postgres:postgres",
        debianRootFolder(),
        path,
        ...args,
        "-D",
        this.#inside,
      ],
      env: environmentInside(),
    });
  }
}

/**
 * A PostgreSQL for one test, which talks to it by lines: prints its URL, answers `standby` and `crash` with `done`, and removes
 * everything when its input ends, even if the test was killed.
 */
const cluster = await SpareCluster.create();
try {
  console.log(cluster.url);
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === "standby") cluster.becomeStandby();
    else if (line === "crash") await cluster.crash();
    else throw new Error(`unknown request: ${line}`);
    console.log("done");
  }
} finally {
  cluster.remove();
}
