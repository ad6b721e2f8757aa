import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { Worker } from "node:worker_threads";

/** In milliseconds, the worst since the last look. */
export interface LoopDelays {
  /** The event loop of the API computed without a break. */
  computed: number;
  /** Its thread waited for a processor, in sum. */
  starved: number;
  /** A second caller waited for the API's /healthz. */
  health: number;
  /** The same caller waited for a process that does nothing: the machine's part of it. */
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

  /** Of an API that loaded `loop-probe.ts`, which answers at the socket `probe`. */
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
