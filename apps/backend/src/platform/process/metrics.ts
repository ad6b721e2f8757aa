import type { ErrorCode } from "@svc/protocol/error-table";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Dependency } from "./dependency.ts";

interface CommandCount {
  command: string | undefined;
  code: ErrorCode | "done" | "replayed" | "previewed";
  dependency?: Dependency | undefined;
}

export interface QueueNumbers {
  ready: number;
  oldestReadySeconds: number;
  running: number;
  failed: number;
  successes: readonly { task: string; at: Date }[];
}

/** What operators watch. One registry per process, served on its own port. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests = new Histogram({
    name: "svc_http_request_duration_seconds",
    help: "Time from request to answer",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });
  readonly #commands = new Counter({
    name: "svc_command_total",
    help:
      "Answers by code (done, replayed, previewed, or an error code), and by the dependency that failed: database, " +
      "store, model, provider. Command `none`: the request failed before its command was known",
    labelNames: ["command", "code", "dependency"],
    registers: [this.registry],
  });
  readonly #recall = new Histogram({
    name: "svc_search_vector_recall",
    help: "Share of the nearest files that the vector index found, in searches repeated without it",
    buckets: [0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
    registers: [this.registry],
  });

  readonly #confinement = new Gauge({
    name: "svc_reader_confined",
    help: "1 if document readers run with kernel limits, and without a network",
    labelNames: ["by"],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  observeRequest(method: string, route: string, status: number, milliseconds: number): void {
    this.#requests.observe({ method, route, status }, milliseconds / 1_000);
  }

  countCommand({ command, code, dependency }: CommandCount): void {
    this.#commands.inc({ command: command ?? "none", code, dependency: dependency ?? "none" });
  }

  observeRecall(recall: number): void {
    this.#recall.observe(recall);
  }

  reportConfinement({ hasLimits, hasNoNetwork }: { hasLimits: boolean; hasNoNetwork: boolean }): void {
    this.#confinement.set({ by: "limits" }, Number(hasLimits));
    this.#confinement.set({ by: "network" }, Number(hasNoNetwork));
  }

  watchQueue(read: () => Promise<QueueNumbers | undefined>): void {
    const gauge = (name: string, help: string, number: (numbers: QueueNumbers) => number) =>
      new Gauge({
        name,
        help,
        registers: [this.registry],
        async collect() {
          const numbers = await read();
          // Not the last number: nobody knows whether it is still true.
          this.set(numbers ? number(numbers) : Number.NaN);
        },
      });
    gauge("svc_queue_ready", "Jobs that could start now", ({ ready }) => ready);
    gauge(
      "svc_queue_oldest_ready_seconds",
      "How long the first of the ready jobs could have started",
      ({ oldestReadySeconds }) => oldestReadySeconds,
    );
    gauge("svc_queue_running", "Jobs in progress, in all workers", ({ running }) => running);
    gauge("svc_queue_failed", "Jobs that failed for good and are not tried again", ({ failed }) => failed);
    new Gauge({
      name: "svc_schedule_last_success_timestamp_seconds",
      help: "When each scheduled job last succeeded, in any worker, in seconds since 1970",
      labelNames: ["task"],
      registers: [this.registry],
      async collect() {
        this.reset();
        for (const { task, at } of (await read())?.successes ?? []) this.set({ task }, at.getTime() / 1_000);
      },
    });
  }

  watchPool(usage: () => { total: number; idle: number; waiting: number }): void {
    new Gauge({
      name: "svc_database_connections",
      help: "Connections of the pool, and callers waiting for one",
      labelNames: ["state"],
      registers: [this.registry],
      collect() {
        const { total, idle, waiting } = usage();
        this.set({ state: "busy" }, total - idle);
        this.set({ state: "idle" }, idle);
        this.set({ state: "waiting" }, waiting);
      },
    });
  }
}
