import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { Worker } from "node:worker_threads";

/** In milliseconds, the worst since the last look. */
export interface LoopDelays {
  /** Time that the API's event loop computed without a break. */
  computed: number;
  /** Total time that its thread waited for a processor. */
  starved: number;
  /** Time that a second caller waited for the API's /healthz. */
  health: number;
  /** Time that the same caller waited for an idle process: the machine's share. */
  idle: number;
}

/** Watches the event loop of an API process from inside and from outside. */
export class LoopWatch {
  readonly #probe: string;
  readonly #idleServer: ChildProcess;
  readonly #poller: Worker;

  private constructor(probe: string, idleServer: ChildProcess, poller: Worker) {
    this.#probe = probe;
    this.#idleServer = idleServer;
    this.#poller = poller;
  }

  /** For an API that loaded `loop-probe.ts`, which answers at the socket `probe`. */
  static async start(address: string, probe: string): Promise<LoopWatch> {
    const idleServer = fork(new URL("./idle-server.ts", import.meta.url));
    const [port] = (await once(idleServer, "message")) as [number];
    const poller = new Worker(new URL("./health-poller.ts", import.meta.url), {
      workerData: { addresses: [`${address}/healthz`, `http://127.0.0.1:${port}/`] },
    });
    await once(poller, "online");
    const watch = new LoopWatch(probe, idleServer, poller);
    await watch.take();
    return watch;
  }

  async take(): Promise<LoopDelays> {
    const inside = await this.#askProbe();
    const polled = once(this.#poller, "message");
    this.#poller.postMessage("worst");
    const [[health, idle]] = (await polled) as [[number, number]];
    return { ...inside, health, idle };
  }

  async close(): Promise<void> {
    await this.#poller.terminate();
    this.#idleServer.disconnect();
  }

  async #askProbe(): Promise<Pick<LoopDelays, "computed" | "starved">> {
    const asked = request({ socketPath: this.#probe, agent: false }).end();
    const [answer] = await once(asked, "response");
    return JSON.parse((await answer.toArray()).join(""));
  }
}
