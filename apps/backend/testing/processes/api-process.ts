import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const thisCheckout = fileURLToPath(new URL("../../../..", import.meta.url));
const killSwitch = new URL("./kill-switch.ts", import.meta.url).href;
const loopProbe = new URL("../loop-watch/loop-probe.ts", import.meta.url).href;
const compileCache = new URL("./compile-cache.ts", import.meta.url).href;

interface PrepareOptions {
  /** Lets a request say at which of its steps the process dies. */
  withKillSwitch?: boolean;
  /** The socket path where the probe of its event loop answers. */
  loopProbe?: string;
  environment?: Record<string, string>;
  /** The folder of another version. */
  checkout?: string;
  /** That of another process, which removes it; a separate one if absent. */
  folder?: string;
}

/** The API as in production: a separate process on one address, restarted whenever it was killed. */
export class ApiProcess {
  readonly address: string;
  /** Where it stores uploads and contents. */
  readonly folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #nodeOptions: readonly string[];
  readonly #entrypoint: string;
  #child: ChildProcess | undefined;
  #output = "";

  private constructor(
    port: number,
    folder: string,
    databaseUrl: string,
    { withKillSwitch, loopProbe: probeSocket, environment, checkout = thisCheckout }: PrepareOptions,
  ) {
    this.#entrypoint = join(checkout, "apps/backend/src/entrypoints/http.ts");
    this.#nodeOptions = [
      "--import",
      compileCache,
      ...(withKillSwitch ? ["--import", killSwitch] : []),
      ...(probeSocket === undefined ? [] : ["--import", loopProbe]),
    ];
    this.address = `http://127.0.0.1:${port}`;
    this.folder = folder;
    this.#environment = {
      ...process.env,
      SVC_TEST_COMPILE_CACHE: join(thisCheckout, "node_modules/.cache/processes"),
      SVC_DATABASE_URL: databaseUrl,
      SVC_PORT: String(port),
      SVC_METRICS_PORT: "0",
      SVC_SIGNING_SECRET: "a secret that is only used by tests",
      SVC_BLOB_FOLDER: folder,
      SVC_RATE_PER_CREDENTIAL: "1000000",
      SVC_RATE_PER_ADDRESS: "1000000",
      SVC_LOG_LEVEL: "warn",
      ...(probeSocket === undefined ? {} : { SVC_LOOP_PROBE: probeSocket }),
      ...environment,
    };
  }

  static async prepare(databaseUrl: string, options: PrepareOptions = {}): Promise<ApiProcess> {
    const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "svc-api-")));
    return new ApiProcess(await freePort(), folder, databaseUrl, options);
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [...this.#nodeOptions, this.#entrypoint], {
      env: this.#environment,
    });
    this.#child = child;
    const collect = (chunk: Buffer) => {
      this.#output += chunk;
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    while (!(await this.isReady())) {
      if (child.exitCode !== null) throw new Error(`the API ended with ${child.exitCode}: ${this.#output}`);
      await sleep(20);
    }
    // It will be killed: what it compiled is kept now.
    child.kill("SIGUSR2");
  }

  isReady(): Promise<boolean> {
    return fetch(`${this.address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** Resolves with the exit code; null if the signal itself ended it. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null)
      throw new Error("the API is not running");
    const ended = once(child, "exit");
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  }

  /** After a request that should kill it; false if it survives. */
  async isDead(): Promise<boolean> {
    const child = this.#child;
    if (!child) return true;
    // The client may notice before the process is reaped: a dead one answers nothing, one that answers has survived.
    for (; !(await this.isReady()); await sleep(5)) {
      if (child.exitCode !== null || child.signalCode !== null) return true;
    }
    return child.exitCode !== null || child.signalCode !== null;
  }

  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error("the API is not running");
    return pid;
  }

  get output(): string {
    return this.#output;
  }

  async close(): Promise<void> {
    if (this.isRunning) await this.end("SIGKILL");
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Below the ephemeral ports, so that it stays ours while the API is down. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
