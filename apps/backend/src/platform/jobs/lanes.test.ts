import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { JobContext } from "./define-job.ts";
import { Lanes } from "./lanes.ts";

/** Tenants with endless work. A turn takes until the test ends it. */
class Work {
  /** Names of tenants with work, the one that waited longest first. */
  readonly tenants: string[];
  readonly taken: { tenantId: string; end(failure?: Error): void }[] = [];
  signal: AbortSignal | undefined;
  claims = 0;
  isDatabaseDown = false;

  constructor(tenants: string[]) {
    this.tenants = tenants;
  }

  start(lanes: number): Lanes {
    const claim = async ({ signal }: JobContext, served: readonly string[]) => {
      this.signal = signal;
      this.claims += 1;
      if (this.isDatabaseDown) throw new Error("the database is down");
      const tenantId = this.tenants.find((name) => !served.includes(name));
      if (tenantId === undefined) return undefined;
      this.tenants.push(...this.tenants.splice(this.tenants.indexOf(tenantId), 1));
      return { tenantId, take: () => this.#take(tenantId) };
    };
    const context = (signal: AbortSignal) => ({ log: pino({ level: "silent" }), signal }) as JobContext;
    const started = new Lanes({ lanes, claim }, context);
    onTestFinished(() => {
      this.tenants.length = 0;
      for (const { end } of [...this.taken]) end();
      return started.stop();
    });
    return started;
  }

  #take(tenantId: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const turn = {
      tenantId,
      end: (failure?: Error) => {
        this.taken.splice(this.taken.indexOf(turn), 1);
        return failure ? reject(failure) : resolve();
      },
    };
    this.taken.push(turn);
    return promise;
  }

  get inProgress(): string[] {
    return this.taken.map(({ tenantId }) => tenantId);
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets everything happen that needs no time. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe("lanes", () => {
  test("take as many turns at once as there are, and the next one as soon as one ends", async () => {
    const work = new Work(["a", "b", "c", "d"]);
    work.start(3);
    await settle();
    expect(work.inProgress).toEqual(["a", "b", "c"]);
    work.taken[1]?.end();
    await settle();
    expect(work.inProgress).toEqual(["a", "c", "d"]);
  });

  test("of several processes add up", async () => {
    const work = new Work(["alone"]);
    for (const process of [1, 2, 3]) {
      work.start(6);
      await settle();
      expect(work.inProgress).toHaveLength(2 * process);
    }
  });

  test("are shared: a tenant with much work leaves some to others, who start at once", async () => {
    const work = new Work(["busy"]);
    const lanes = work.start(6);
    await settle();
    expect(work.inProgress).toEqual(["busy", "busy"]);
    work.tenants.push("newcomer");
    lanes.wake();
    await settle();
    expect(work.inProgress).toEqual(["busy", "busy", "newcomer", "newcomer"]);
  });

  test("look for work every few seconds while there is none", async () => {
    const work = new Work([]);
    work.start(2);
    await settle();
    work.tenants.push("late");
    expect(work.inProgress).toEqual([]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(work.inProgress).toEqual(["late", "late"]);
  });
});

describe("a failure", () => {
  test("of a turn does not stop the others, and the tenant pauses before the next one", async () => {
    const work = new Work(["broken", "fine"]);
    work.start(2);
    await settle();
    work.taken[0]?.end(new Error("locked"));
    await settle();
    expect(work.inProgress).toEqual(["fine"]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(work.inProgress).toHaveLength(2);
  });

  test("to look for work is retried, without haste", async () => {
    const work = new Work(["a"]);
    work.isDatabaseDown = true;
    work.start(1);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(work.claims).toBe(12);
    work.isDatabaseDown = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(work.inProgress).toEqual(["a"]);
  });
});

describe("a worker that stops", () => {
  test("claims nothing more, and waits for turns in progress", async () => {
    const work = new Work(["a"]);
    const lanes = work.start(1);
    await settle();
    let hasStopped = false;
    const stopped = lanes.stop().then(() => {
      hasStopped = true;
    });
    await vi.advanceTimersByTimeAsync(4_000);
    expect({ hasStopped, isAborted: work.signal?.aborted }).toEqual({ hasStopped: false, isAborted: false });
    work.taken[0]?.end();
    await stopped;
    expect({ inProgress: work.inProgress, claims: work.claims }).toEqual({ inProgress: [], claims: 1 });
  });

  test("aborts a turn that takes too long", async () => {
    const work = new Work(["a"]);
    const lanes = work.start(1);
    await settle();
    const stopped = lanes.stop();
    work.signal?.addEventListener("abort", () => work.taken[0]?.end(new Error("aborted")));
    await vi.advanceTimersByTimeAsync(10_000);
    await stopped;
  });
});
