import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpCaller } from "../../../backend/testing/processes/http-caller.ts";
import type { CompiledSvc } from "../../testing/compiled-svc.ts";

interface WatchedRun {
  exitCode: number;
  error: string;
  /** The most memory that it had. */
  megabytes: number;
  seconds: number;
}

/** Runs a line of svc, and measures the memory that it needs. */
export async function watchedRun(
  svc: CompiledSvc,
  argv: readonly string[],
  environment: Record<string, string>,
): Promise<WatchedRun> {
  const began = performance.now();
  const child = svc.spawn(argv, { environment });
  let [error, isOver, kilobytes] = ["", false, 0];
  child.stdout.resume();
  child.stderr.on("data", (chunk) => {
    error += chunk;
  });
  const ended = once(child, "close").finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    kilobytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? kilobytes);
    await sleep(20);
  }
  const [exitCode] = (await ended) as [number];
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  return { exitCode, error, megabytes: Math.round(kilobytes / 1_024), seconds };
}

/** How long another caller waits for most answers meanwhile, in milliseconds. */
export async function whileCalled<Result>(
  caller: HttpCaller,
  work: () => Promise<Result>,
): Promise<{ result: Result; p95: number }> {
  let isOver = false;
  const waits: number[] = [];
  const calling = async () => {
    while (!isOver) {
      const began = performance.now();
      await caller.post({ argv: ["files", "list", "/"], workspace: "home" });
      waits.push(performance.now() - began);
      await sleep(50);
    }
  };
  const called = calling();
  const result = await work().finally(() => {
    isOver = true;
  });
  await called;
  return { result, p95: waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.95)] ?? 0 };
}
