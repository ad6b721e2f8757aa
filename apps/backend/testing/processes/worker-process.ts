import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const thisCheckout = fileURLToPath(new URL("../../../..", import.meta.url));

/** The worker as in production: a separate process, restarted whenever it was killed. */
export class WorkerProcess {
  readonly #folder: string;
  readonly #entrypoint: string;
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #output = "";

  private constructor(
    folder: string,
    databaseUrl: string,
    environment: Record<string, string>,
    checkout: string,
  ) {
    this.#folder = folder;
    this.#entrypoint = join(checkout, "apps/backend/src/entrypoints/worker.ts");
    this.#environment = {
      ...process.env,
      SVC_DATABASE_URL: databaseUrl,
      SVC_BLOB_FOLDER: folder,
      ...environment,
    };
  }

  static async prepare(
    databaseUrl: string,
    environment: Record<string, string> = {},
    /** The folder of another version. */
    checkout = thisCheckout,
  ): Promise<WorkerProcess> {
    const folder = await mkdtemp(join(tmpdir(), "svc-worker-"));
    return new WorkerProcess(folder, databaseUrl, environment, checkout);
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [this.#entrypoint], { env: this.#environment });
    this.#child = child;
    const before = this.#output.length;
    const collect = (chunk: Buffer) => {
      this.#output += chunk;
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    while (!this.#output.includes('"working"', before)) {
      if (child.exitCode !== null) throw new Error(`the worker ended: ${this.#output}`);
      await sleep(20);
    }
  }

  /** Its warnings, over all restarts. */
  get warnings(): string[] {
    return this.#output.split("\n").filter((line) => /"level":(40|50|60|"(warn|error|fatal)")/.test(line));
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the worker is not running: ${this.#output}`);
    }
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  async close(): Promise<void> {
    if (this.#child?.exitCode === null && this.#child.signalCode === null) await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
