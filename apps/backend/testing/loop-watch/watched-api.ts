import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HomeApi } from "../processes/home-api.ts";
import { type LoopDelays, LoopWatch } from "./loop-watch.ts";

/** The longest wait of a second caller on a quiet machine. */
const mostMillis = 250;
/** If anybody waits longer than this for a processor, the machine is too busy to judge by the clock. */
const quietMillis = 50;

/** A real API whose event loop is watched while it is called. */
export class WatchedApi {
  readonly home: HomeApi;
  readonly worst: LoopDelays = { computed: 0, starved: 0, health: 0, idle: 0 };
  /** What was too late, one line each. */
  readonly late: string[] = [];
  readonly #watch: LoopWatch;
  readonly #folder: string;

  private constructor(home: HomeApi, watch: LoopWatch, folder: string) {
    this.home = home;
    this.#watch = watch;
    this.#folder = folder;
  }

  static async start(): Promise<WatchedApi> {
    const folder = await mkdtemp(join(tmpdir(), "svc-loop-"));
    const probe = join(folder, "probe");
    const home = await HomeApi.start({ loopProbe: probe });
    return new WatchedApi(home, await LoopWatch.start(home.api.address, probe), folder);
  }

  /** Does something, and records its name if the event loop was blocked. */
  async during<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    await this.#watch.take();
    const result = await work();
    const delays = await this.#watch.take();
    for (const kind of ["computed", "starved", "health", "idle"] as const) {
      this.worst[kind] = Math.max(this.worst[kind], delays[kind]);
    }
    const isQuiet = delays.idle < quietMillis && delays.starved < quietMillis;
    if (delays.computed > mostMillis || (isQuiet && delays.health > mostMillis)) {
      const told = Object.entries(delays).map(([kind, millis]) => `${kind} ${millis.toFixed(0)} ms`);
      this.late.push(`${what}: ${told.join(", ")}`);
    }
    return result;
  }

  async close(): Promise<void> {
    await this.#watch.close();
    await this.home.close();
    await rm(this.#folder, { recursive: true });
  }
}
