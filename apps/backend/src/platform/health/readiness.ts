import type { Log } from "../process/log.ts";
import type { Probe } from "./probe.ts";

/** Why a process should get no work. docs/guides/operate.md says what to do about each. */
type Obstacle =
  | "database"
  | "read_only"
  | "schema_too_old"
  | "schema_too_new"
  | "starting"
  | "queue_stuck"
  | "overloaded"
  | "stopping";

/** What a process can do without, for a while and for most callers. */
type Dependency = "store" | "model";

/** An obstacle, and the error behind it for the log. */
export interface Finding {
  obstacle?: Obstacle;
  cause?: unknown;
}

export interface DependencyState {
  isUp: boolean;
  cause?: unknown;
}

export type ReadinessReport =
  | { status: "ready"; degraded: Dependency[] }
  | { status: "not ready"; reason: Obstacle };

interface ReadinessParts {
  /** In the order of what to mend first: the first obstacle is the reason. */
  checks: readonly Probe<Finding>[];
  dependencies: Readonly<Record<Dependency, Probe<DependencyState>>>;
  log: Log;
}

/** Balancers give up after a second. */
const withinMillis = 900;

/** Whether this process can do its work. Each change is a line in the log. */
export class Readiness {
  readonly #parts: ReadinessParts;
  #isStopping = false;
  #logged = "";

  constructor(parts: ReadinessParts) {
    this.#parts = parts;
  }

  stop(): void {
    this.#isStopping = true;
  }

  async report(): Promise<ReadinessReport> {
    if (this.#isStopping) return { status: "not ready", reason: "stopping" };
    const { checks, dependencies } = this.#parts;
    const [findings, store, model] = await Promise.all([
      Promise.all(checks.map((check) => check.answer(withinMillis))),
      dependencies.store.answer(withinMillis),
      dependencies.model.answer(withinMillis),
    ]);
    const { obstacle, cause } = findings.find((finding) => finding.obstacle !== undefined) ?? {};
    if (obstacle !== undefined) {
      this.#logChange(obstacle, cause);
      return { status: "not ready", reason: obstacle };
    }
    const down = Object.entries({ store, model }).filter(([, { isUp }]) => !isUp);
    const degraded = down.map(([name]) => name as Dependency);
    this.#logChange(degraded.join(), down[0]?.[1].cause);
    return { status: "ready", degraded };
  }

  #logChange(state: string, cause: unknown): void {
    if (state === this.#logged) return;
    this.#logged = state;
    const { log } = this.#parts;
    if (state === "") log.info("ready again");
    else if (state === "starting") log.info("not ready yet");
    else log.warn({ reason: state, err: cause }, "not ready, or ready without what it depends on");
  }
}
