import { randomUUID } from "node:crypto";
import { FairShares } from "@svc/fair-shares/fair-shares";
import type { JobContext } from "./define-job.ts";
import type { Turn, TurnsDefinition } from "./define-turns.ts";

/** Between looks for work. What comes in between waits this long at most. */
const usualIdleMillis = 5_000;
/** A turn that fails at once must not be claimed again at once. */
const failureMillis = 1_000;
/** As long as the queue lets jobs finish: an aborted model call costs its reservation. */
const graceMillis = 5_000;

interface LanesOptions {
  idleMillis?: number;
}

/**
 * Takes turns of one kind of work in this process, several at once. Tenants share the lanes fairly, so that a tenant
 * with much work leaves some to others (ADR 33).
 */
export class Lanes {
  readonly #definition: TurnsDefinition;
  readonly #context: (signal: AbortSignal) => JobContext;
  readonly #shares: FairShares;
  readonly #idleMillis: number;
  readonly #turns = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  readonly #ended: Promise<void>;
  #woken = Promise.withResolvers<void>();

  constructor(
    definition: TurnsDefinition,
    context: (signal: AbortSignal) => JobContext,
    options: LanesOptions = {},
  ) {
    this.#definition = definition;
    this.#context = context;
    this.#idleMillis = options.idleMillis ?? definition.idleMillis ?? usualIdleMillis;
    this.#shares = new FairShares({ slots: definition.lanes, maxWaiting: definition.lanes });
    this.#ended = this.#fill();
  }

  /** Looks for work now. */
  wake(): void {
    this.#woken.resolve();
  }

  /** Claims no more turns, and lets those in progress finish for a while before it aborts them. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#ended;
    const impatience = setTimeout(() => this.#aborting.abort(), graceMillis);
    await Promise.all(this.#turns);
    clearTimeout(impatience);
  }

  /** The only place that claims, so nobody else takes the slot between a look at the shares and the start of a turn. */
  async #fill(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const turn = this.#shares.free > 0 ? await this.#claim() : undefined;
      if (turn) this.#start(turn);
      else await this.#rest();
    }
  }

  async #claim(): Promise<Turn | undefined> {
    const context = this.#context(this.#aborting.signal);
    try {
      return await this.#definition.claim(context, this.#shares.full);
    } catch (error) {
      context.log.error({ err: error }, "could not look for work");
      return undefined;
    }
  }

  #start(turn: Turn): void {
    // Each turn is a member: the rule for members would leave a tenant less than its share.
    const share = { tenant: turn.tenantId, member: randomUUID() };
    const taken = this.#shares
      .run(share, () => this.#take(turn))
      .finally(() => {
        this.#turns.delete(taken);
        this.wake();
      });
    this.#turns.add(taken);
  }

  async #take(turn: Turn): Promise<void> {
    try {
      await turn.take();
    } catch (error) {
      const { log } = this.#context(this.#aborting.signal);
      log.error({ err: error, tenant: turn.tenantId }, "a turn failed");
      await new Promise<void>((resolve) => setTimeout(resolve, failureMillis));
    }
  }

  /** Until a turn ends, somebody wakes it, or it is time to look again. */
  async #rest(): Promise<void> {
    const timer = setTimeout(() => this.wake(), this.#idleMillis);
    await this.#woken.promise;
    clearTimeout(timer);
    this.#woken = Promise.withResolvers();
  }
}
