import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { debianRootFolder, environmentInside, runsInDebianRoot } from "../local-server/debian-root.ts";
import { cellFolder, onThisMachine } from "./cell-layout.ts";

/** One process of the cell: it outlives the tool that starts it, and is found again by its pid file. */
export class CellProgram {
  readonly name: string;
  readonly #command: readonly string[];
  readonly #port: number;

  constructor(name: string, port: number, command: readonly string[]) {
    this.name = name;
    this.#port = port;
    this.#command = command;
  }

  /** A pid file outlives a crash; its number may belong to another process by then. */
  get pid(): number | undefined {
    if (!existsSync(this.#pidFile)) return undefined;
    const pid = Number(readFileSync(this.#pidFile, "utf8"));
    return isOurs(pid, this.#command.at(-1) ?? "") ? pid : undefined;
  }

  /** It was started and does not run any more. */
  get hasEnded(): boolean {
    return existsSync(this.#pidFile) && this.pid === undefined;
  }

  get log(): string {
    return `${onThisMachine(cellFolder)}/log/${this.name}.log`;
  }

  async start(): Promise<void> {
    if (this.pid !== undefined) return;
    await this.#refuseTakenPort();
    mkdirSync(`${onThisMachine(cellFolder)}/log`, { recursive: true });
    const log = openSync(this.log, "a");
    // Patroni looks for processes in /proc, which the root lacks outside this namespace.
    const inside = ["--mount-proc", `--root=${debianRootFolder()}`];
    const asPostgres = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"];
    const child = spawn("unshare", [...inside, ...asPostgres, ...this.#command], {
      stdio: ["ignore", log, log],
      env: environmentInside(),
      detached: true,
    });
    closeSync(log);
    child.unref();
    if (child.pid === undefined) throw new Error("unshare(1) of util-linux did not run");
    writeFileSync(this.#pidFile, String(child.pid));
  }

  /** Returns when it is gone. */
  async kill(): Promise<void> {
    if (this.pid !== undefined) killTree(this.pid);
    while (this.pid !== undefined) await sleep(20);
  }

  get #pidFile(): string {
    return `${onThisMachine(cellFolder)}/${this.name}.pid`;
  }

  async #refuseTakenPort(): Promise<void> {
    const socket = createConnection({ host: "127.0.0.1", port: this.#port });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    const isTaken = await promise;
    socket.destroy();
    if (!isTaken) return;
    throw new Error(
      `Port ${this.#port} of 127.0.0.1 is taken by another program, so ${this.name} cannot start. Stop that program.`,
    );
  }
}

/** Whether it runs in our Debian root with this argument. */
export function isOurs(pid: number, argument: string): boolean {
  if (!runsInDebianRoot(String(pid))) return false;
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(argument);
}

/** As if its machine lost power: no process of it runs another instruction. */
export function killTree(pid: number): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  process.kill(pid, "SIGKILL");
  for (const child of children) {
    try {
      killTree(Number(child));
    } catch {
      // It ended with its parent.
    }
  }
}
