import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type CellHost, cellFolder, onThisMachine } from "./cell-layout.ts";
import { CellProgram, isOurs, killTree } from "./cell-program.ts";
import { etcdArguments } from "./cell-settings.ts";

/** One machine of the cell, to start, stop and lose. */
export class CellNode {
  readonly host: CellHost;
  readonly etcd: CellProgram;
  readonly patroni: CellProgram;

  constructor(host: CellHost) {
    this.host = host;
    this.etcd = new CellProgram(`etcd-${host.name}`, host.etcdPort, ["etcd", ...etcdArguments(host)]);
    this.patroni = new CellProgram(`patroni-${host.name}`, host.patroniPort, [
      "patroni",
      `${cellFolder}/${host.name}/patroni.yml`,
    ]);
  }

  get hasData(): boolean {
    return existsSync(onThisMachine(`${this.host.dataFolder}/PG_VERSION`));
  }

  get postgresPid(): number | undefined {
    const file = onThisMachine(`${this.host.dataFolder}/postmaster.pid`);
    if (!existsSync(file)) return undefined;
    const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
    return isOurs(pid, this.host.dataFolder) ? pid : undefined;
  }

  losePostgres(): void {
    const pid = this.postgresPid;
    if (pid === undefined) throw new Error(`PostgreSQL of ${this.host.name} does not run`);
    killTree(pid);
  }

  /** Patroni first: it must not notice that its PostgreSQL is gone. */
  async lose(): Promise<void> {
    await this.patroni.kill();
    this.losePostgres();
  }

  /** At once: its data is not needed any more. SIGQUIT gives shared memory back, which SIGKILL would not. */
  async stop(): Promise<void> {
    await this.patroni.kill();
    const pid = this.postgresPid;
    if (pid !== undefined) process.kill(pid, "SIGQUIT");
    while (this.postgresPid !== undefined) await sleep(50);
  }
}
