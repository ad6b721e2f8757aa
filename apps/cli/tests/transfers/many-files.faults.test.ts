import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { faultSize } from "@svc/testing/fault-size";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WatchedApi } from "../../../backend/testing/loop-watch/watched-api.ts";
import { CompiledSvc } from "../../testing/compiled-svc.ts";
import { watchedRun, whileCalled } from "./watched-run.ts";

/** In a sample, enough for a list of two pages. */
const files = faultSize(100_000, 3_500);
const fileBytes = faultSize(50_000, 500);
const filesInFolder = 500;
/** More than one folder of them takes. */
const mostMegabytes = 300;

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

/** Runs a line in the one workspace. */
async function run(...words: string[]) {
  const { api, caller } = watched.home;
  const environment = { SVC_BASE_URL: api.address, SVC_SA_TOKEN: caller.token };
  const { error, ...ran } = await watchedRun(svc, [...words, "--workspace", "home"], environment);
  expect(error).toBe("");
  return ran;
}

async function expectSame(back: string): Promise<void> {
  await promisify(execFile)("diff", ["-r", join(svc.folder, "tree"), join(svc.folder, back)]);
}

test(`${files} files go up and come back`, async () => {
  const up = await run("files", "put", "./tree", "/");
  expect(up.exitCode).toBe(0);
  const down = await run("files", "get", "/tree", "--output", "back");
  expect(down.exitCode).toBe(0);
  await expectSame("back");
  process.stdout.write(`many files: ${JSON.stringify({ files, fileBytes, up, down })}\n`);
});

test("they come back in little memory, while others are served", { tags: ["nightly"] }, async () => {
  const one = await run("files", "get", "/tree/0", "--output", "one");
  const { result: all, p95 } = await watched.during("a large download", () =>
    whileCalled(watched.home.caller, () => run("files", "get", "/tree", "--output", "all")),
  );
  process.stdout.write(`many files: ${JSON.stringify({ one, all, p95, ...watched.worst })}\n`);
  expect(all.megabytes - one.megabytes).toBeLessThan(mostMegabytes);
  expect(watched.late).toEqual([]);
});
