import type { Database } from "@svc/database/database";
import type { WorkerEvents } from "graphile-worker";
import { sql } from "kysely";
import type { Log } from "../process/log.ts";
import { type QueueState, readQueueState } from "./queue-state.ts";

export interface WatchedQueue {
  events: WorkerEvents;
  /** Names of all tasks, and of those that a schedule starts. */
  tasks: readonly string[];
  schedules: readonly string[];
}

export interface WatchedState extends QueueState {
  /** When each schedule last ran to its end, in whichever worker. */
  successes: { task: string; at: Date }[];
}

/** What an operator wants to know about the queue, and whether this process takes part in it. */
export class QueueWatch {
  readonly #database: Pick<Database, "withDirectory">;
  readonly #queue: WatchedQueue;
  #lastStart = performance.now();

  constructor(database: Pick<Database, "withDirectory">, queue: WatchedQueue, log: Log) {
    this.#database = database;
    this.#queue = queue;
    queue.events.on("job:start", () => {
      this.#lastStart = performance.now();
    });
    queue.events.on("job:success", ({ job: { task_identifier: task } }) => {
      if (!queue.schedules.includes(task)) return;
      this.#noteSuccess(task).catch((error: unknown) =>
        log.warn({ err: error, job: task }, "could not record that a job succeeded"),
      );
    });
  }

  /** How long this process has started no job. */
  get idleSeconds(): number {
    return (performance.now() - this.#lastStart) / 1_000;
  }

  async read(): Promise<WatchedState> {
    const { tasks, schedules } = this.#queue;
    return this.#database.withDirectory(async (db) => {
      const successes = await db
        .selectFrom("control.schedule_success")
        .select(["task", "succeeded_at as at"])
        .where("task", "=", sql<string>`any(${schedules})`)
        .execute();
      return { ...(await readQueueState(db, tasks)), successes };
    });
  }

  /** In the database, because a new process must not forget what the others did. */
  async #noteSuccess(task: string): Promise<void> {
    const now = sql<Date>`now()`;
    await this.#database.withDirectory((db) =>
      db
        .insertInto("control.schedule_success")
        .values({ task, succeeded_at: now })
        .onConflict((conflict) => conflict.column("task").doUpdateSet({ succeeded_at: now }))
        .execute(),
    );
  }
}
