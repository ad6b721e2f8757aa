import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { faultSize } from "@svc/testing/fault-size";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WatchedApi } from "../../../backend/testing/loop-watch/watched-api.ts";
import { CompiledSvc } from "../../testing/compiled-svc.ts";

/** In a sample, enough for a list of two pages. */
const files = faultSize(100_000, 3_500);
const fileBytes = faultSize(50_000, 500);
const filesInFolder = 500;
const mostMegabytes = 400;

let svc: CompiledSvc;
let watched: WatchedApi;
beforeAll(async () => {
  [svc, watched] = await Promise.all([CompiledSvc.build(), WatchedApi.start()]);
  for (let index = 0; index < files; index += 1) {
    const folder = join(svc.folder, "tree", `${Math.floor(index / filesInFolder)}`);
    if (index % filesInFolder === 0) await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${index}.bin`), randomBytes(fileBytes));
  }
});
afterAll(async () => {
  await watched?.close();
  await svc?.remove();
});

/** Runs a line in the one workspace, and measures the memory that it needs. */
async function run(...words: string[]): Promise<{ exitCode: number; megabytes: number; seconds: number }> {
  const { address } = watched.home.api;
  const environment = { SVC_BASE_URL: address, SVC_SA_TOKEN: watched.home.caller.token };
  const began = performance.now();
  const child = svc.spawn([...words, "--workspace", "home"], { environment });
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
  expect(error).toBe("");
  return {
    exitCode,
    megabytes: Math.round(kilobytes / 1_024),
    seconds: Math.round((performance.now() - began) / 100) / 10,
  };
}

/** How long another caller waits for each answer meanwhile, in milliseconds. */
async function whileCalled<Result>(work: () => Promise<Result>): Promise<{ result: Result; p95: number }> {
  let isOver = false;
  const waits: number[] = [];
  const calling = async () => {
    while (!isOver) {
      const began = performance.now();
      await watched.home.caller.post({ argv: ["files", "list", "/"], workspace: "home" });
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

test(`${files} files go up and come back, in little memory, while others are served`, async () => {
  const up = await run("files", "put", "./tree", "/");
  expect(up.exitCode).toBe(0);
  const { result: down, p95 } = await watched.during("a large download", () =>
    whileCalled(() => run("files", "get", "/tree", "--output", "back")),
  );
  process.stdout.write(
    `many files: ${JSON.stringify({ files, fileBytes, up, down, p95, ...watched.worst })}\n`,
  );
  expect(down.exitCode).toBe(0);
  await promisify(execFile)("diff", ["-r", join(svc.folder, "tree"), join(svc.folder, "back")]);
  expect(down.megabytes).toBeLessThan(mostMegabytes);
  expect(watched.late).toEqual([]);
});
