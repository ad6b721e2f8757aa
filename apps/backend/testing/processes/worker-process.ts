import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "./api-process.ts";

const thisCheckout = fileURLToPath(new URL("../../../..", import.meta.url));
const compileCache = new URL("./compile-cache.ts", import.meta.url).href;

/** The worker as in production: a separate process, restarted whenever it was killed. */
export class WorkerProcess {
  readonly healthAddress: string;
  readonly metricsAddress: string;
  readonly #folder: string;
  readonly #entrypoint: string;
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #output = "";

  private constructor(
    folder: string,
    databaseUrl: string,
    ports: { health: number; metrics: number },
    environment: Record<string, string>,
    checkout: string,
  ) {
    this.#folder = folder;
    this.#entrypoint = join(checkout, "apps/backend/src/entrypoints/worker.ts");
    this.healthAddress = `http://127.0.0.1:${ports.health}`;
    this.metricsAddress = `http://127.0.0.1:${ports.metrics}`;
    this.#environment = {
      ...process.env,
      SVC_TEST_COMPILE_CACHE: join(thisCheckout, "node_modules/.cache/processes"),
      SVC_DATABASE_URL: databaseUrl,
      SVC_BLOB_FOLDER: folder,
      SVC_HEALTH_PORT: String(ports.health),
      SVC_WORKER_METRICS_PORT: String(ports.metrics),
      ...environment,
    };
  }

  static async prepare(
    databaseUrl: string,
    environment: Record<string, string> = {},
    /** The folder of another version. */
    checkout = thisCheckout,
  ): Promise<WorkerProcess> {
    const ports = { health: await freePort(), metrics: await freePort() };
    const folder = await mkdtemp(join(tmpdir(), "svc-worker-"));
    return new WorkerProcess(folder, databaseUrl, ports, environment, checkout);
  }

  async start(): Promise<void> {
    const before = this.#output.length;
    const child = this.begin();
    while (!this.#output.includes('"working"', before)) {
      if (child.exitCode !== null) throw new Error(`the worker ended: ${this.#output}`);
      await sleep(20);
    }
    // It will be killed: what it compiled is kept now.
    child.kill("SIGUSR2");
  }

  /** Without waiting until it works. */
  begin(): ChildProcess {
    const child = spawn(process.execPath, ["--import", compileCache, this.#entrypoint], {
      env: this.#environment,
    });
    this.#child = child;
    const collect = (chunk: Buffer) => {
      this.#output += chunk;
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    return child;
  }

  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
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
    if (this.isRunning) await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
