import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { waitUntil } from "@svc/testing/wait-until";
import { afterAll, expect, test } from "vitest";
import { endMarked, nightMark } from "./end-marked.ts";
import { vitest } from "./find-parts.ts";
import { runPart } from "./run-part.ts";

const repository = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "svc-parts-"));
afterAll(() => rmSync(folder, { recursive: true }));

const circumstances = { repository, folder, night: folder, seed: "7", limitMillis: 600_000 };
const part = { name: "bench/odd", size: "full", files: [], again: "npm run bench -- odd" };
const evaluating = (script: string) => ({ ...part, command: ["--eval", script] });

test("counts tests, and says how to repeat each failure", async () => {
  writeFileSync(
    join(folder, "sums.test.mjs"),
    `test("adds", () => {});
    describe("a sum (of all)", () => {
      test("isn't $5", () => { throw new Error(process.env.SVC_FAULTS + process.env.SVC_SEED); });
      test("is 6", () => {});
    });`,
  );
  writeFileSync(join(folder, "broken.test.mjs"), "import './missing.mjs';");
  const command = [vitest, "run", "--globals", "--root", folder];
  const outcome = await runPart({ ...part, name: "sums", command }, circumstances);
  const [broken = "", failed = ""] = outcome.failures.toSorted();
  expect(outcome).toMatchObject({ passed: 2, failed: 2 });
  expect(broken).toMatch(/^SVC_SEED=7 SVC_FAULTS=full npx vitest run \S+broken\.test\.mjs$/);
  expect(failed).toMatch(/sums\.test\.mjs -t 'a sum \\\(of all\\\) > isn'\\''t \\\$5'$/);
  // It runs that test and no other.
  const [, name = ""] = / -t (.*)$/.exec(failed) ?? [];
  const again = spawnSync("sh", ["-c", `node ${vitest} run sums --globals --root ${folder} -t ${name}`], {
    cwd: repository,
    encoding: "utf8",
  });
  expect(stripVTControlCharacters(again.stdout)).toMatch(/Tests {2}1 failed \| 2 skipped/);
});

test("keeps the figures that a program prints for machines, at full size", async () => {
  const script = `console.log("Bars\\n{ not json"); console.log(JSON.stringify({ size: process.env.BENCH_SIZE }));`;
  expect(await runPart(evaluating(script), circumstances)).toEqual({
    passed: 1,
    failed: 0,
    failures: [],
    figures: [{ size: "full" }],
  });
});

test("a program that fails is repeated by its line", async () => {
  expect(await runPart(evaluating("process.exitCode = 1"), circumstances)).toMatchObject({
    passed: 0,
    failed: 1,
    failures: ["npm run bench -- odd"],
  });
});

test("a part that hangs is ended, and has failed", async () => {
  const outcome = await runPart(evaluating("setInterval(() => {}, 1e6)"), {
    ...circumstances,
    limitMillis: 1,
  });
  expect(outcome).toMatchObject({ passed: 0, failed: 1 });
});

test("a night's processes end with it, also those that left their parent", async () => {
  const night = `${folder}/another`;
  const child = spawn(
    process.execPath,
    [
      "--eval",
      `const wait = ["--eval", "setInterval(() => {}, 1e6)"];
      const { pid } = require("node:child_process").spawn(process.execPath, wait, { detached: true, stdio: "ignore" });
      console.log(pid);
      process.exit();`,
    ],
    { env: { ...process.env, [nightMark]: night }, stdio: ["ignore", "pipe", "inherit"] },
  );
  const [pid] = await once(createInterface(child.stdout), "line");
  endMarked(`${night}, but not this one`);
  expect(() => process.kill(Number(pid), 0)).not.toThrow();
  endMarked(night);
  await waitUntil(() => expect(() => process.kill(Number(pid), 0)).toThrow());
});
