import { setTimeout as sleep } from "node:timers/promises";
import type { CliRequest } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import type { z } from "zod";
import type { Caller } from "../../platform/identity/caller.ts";
import type { Log } from "../../platform/process/log.ts";
import type { HeldLease, Progress } from "../../platform/uploads/commit-lease.ts";
import type { StagedCall } from "../../platform/uploads/staged-call.ts";
import type { ContinuationTicket } from "../../platform/uploads/transfer-ticket.ts";
import { untilAborted } from "../http/call-signal.ts";
import { toProblemError } from "../http/problem-answer.ts";
import type { callHeaders } from "../http/request-context.ts";

/** A commit as its process describes it for others, in case it dies. */
export interface StoredCommit {
  caller: Caller;
  ticket: ContinuationTicket;
  repeated: Pick<z.output<typeof CliRequest>, "argv" | "workspace" | "manifests" | "contents">;
  headers: ReturnType<typeof callHeaders>;
  requestId: string;
  callerRequestId?: string | undefined;
}

/** Somebody who waits for a commit, until they are gone. */
export interface Watcher {
  signal: AbortSignal;
  progress(progress: Progress): void;
}

export type CommitWork<T> = (context: Watcher) => Promise<T>;

interface Running {
  ended: Promise<void>;
  watchers: Set<Watcher>;
}

const lookEveryMillis = 1_000;
/** A process that stops has 20 s. */
const patienceMillis = 10_000;

/**
 * Storing what was sent, apart from the request that asked for it: a lost connection does not end it, and whoever
 * repeats the line waits for it. Large trees only; others are stored before anybody could miss the answer.
 */
export class Commits {
  readonly #log: Log;
  readonly #running = new Map<string, Running>();
  readonly #closing = new AbortController();

  constructor(log: Log) {
    this.#log = log;
  }

  async run<T>(
    staged: StagedCall,
    { commit, millis, watcher }: { commit: StoredCommit; millis: number; watcher?: Watcher },
    work: CommitWork<T>,
  ): Promise<T> {
    const lease = await staged.lease.take();
    const watchers = new Set(watcher ? [watcher] : []);
    const job = this.#start(staged, lease, watchers, { commit, millis }, work);
    const ended = job.then(
      () => {},
      (error: unknown) => {
        if (watcher && watchers.size === 0)
          this.#log.warn({ err: error, call: staged.id }, "could not store an upload");
      },
    );
    this.#running.set(staged.id, { ended: ended.finally(() => this.#running.delete(staged.id)), watchers });
    return watcher ? until(watcher, watchers, job) : job;
  }

  /** Waits until nobody stores the files of this call, in this process or another. */
  async follow(staged: StagedCall, watcher: Watcher): Promise<void> {
    for (;;) {
      const running = this.#running.get(staged.id);
      if (running) {
        running.watchers.add(watcher);
        await until(watcher, running.watchers, running.ended);
        continue;
      }
      const attempt = await staged.lease.latest();
      if (!attempt?.isAlive) return;
      if (attempt.progress) watcher.progress(attempt.progress);
      await untilAborted(watcher.signal, sleep(lookEveryMillis));
    }
  }

  /** What takes too long is left to another process. */
  close(): void {
    const stopping = () => this.#closing.abort(new ProblemError("unavailable", "The service is stopping."));
    setTimeout(stopping, patienceMillis).unref();
  }

  async ended(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  async #start<T>(
    staged: StagedCall,
    lease: HeldLease,
    watchers: ReadonlySet<Watcher>,
    { commit, millis }: { commit: StoredCommit; millis: number },
    work: CommitWork<T>,
  ): Promise<T> {
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new ProblemError("timeout", "The command timed out.")),
      millis,
    ).unref();
    const signal = AbortSignal.any([limit.signal, lease.lost, this.#closing.signal]);
    const progress = (made: Progress) => {
      lease.note(made);
      for (const watcher of watchers) watcher.progress(made);
    };
    try {
      await staged.lease.describe(commit);
      const result = await work({ signal, progress });
      await lease.release();
      await staged.finish();
      return result;
    } catch (error) {
      await lease.release();
      if (!mayPass(error)) await staged.finish();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The same line, or another process, tries again. */
export function mayPass(error: unknown): boolean {
  const { code } = toProblemError(error);
  return code === "unavailable" || code === "too_many_requests";
}

async function until<T>(watcher: Watcher, watchers: Set<Watcher>, work: Promise<T>): Promise<T> {
  try {
    return await untilAborted(watcher.signal, work);
  } finally {
    watchers.delete(watcher);
  }
}
