import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { faultSize } from "@svc/testing/fault-size";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hostileFiles } from "../../../testing/hostile-files/hostile-files.ts";
import type { HostileReadings } from "../../../testing/hostile-files/hostile-readings.ts";
import { maxTextBytes } from "./readers/extraction-limits.ts";

/** One of each kind that is quick to create and to read. */
const sample = new Set(
  (
    "ratio.docx braggart.docx overlapping.docx twins.docx embedded.docx half.docx climbing.docx injected.docx " +
    "locked.docx locked.odt locked.xlsx laughs.docx quadratic.odt deep.docx constructor.docx " +
    "loop.pdf recursion.pdf previous.pdf locked.pdf half.pdf string.pdf " +
    "deep.html deep.rtf deep.eml noise.eml line.txt broken.txt swollen.txt nul.txt noise.txt one.docx polyglot.png"
  ).split(" "),
);
const files = hostileFiles.filter(({ name }) => faultSize(1, 0) === 1 || sample.has(name));

let found: HostileReadings;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hostile-files-"));
  await run(new URL("../../../testing/hostile-files/write-hostile-files.ts", import.meta.url));
  // An answer shows that it stayed up.
  found = JSON.parse(
    await run(new URL("../../../testing/hostile-files/read-hostile-files.ts", import.meta.url)),
  );
}, 600_000);
afterAll(() => rm(folder, { recursive: true }));

async function run(script: URL): Promise<string> {
  const args = [fileURLToPath(script), folder, ...files.map(({ name }) => name)];
  return (await promisify(execFile)(process.execPath, args, { maxBuffer: 16 * 1024 ** 2 })).stdout;
}

test("the corpus is complete", () => {
  expect(hostileFiles.length).toBeGreaterThanOrEqual(60);
  expect(new Set(hostileFiles.map(({ name }) => name)).size).toBe(hostileFiles.length);
  expect(files.length).toBe(faultSize(hostileFiles.length, sample.size));
});

test.each(files)("$name: $what", ({ name, outcome }) => {
  const reading = found.readings.find((reading) => reading.name === name);
  expect([outcome].flat()).toContain(reading?.outcome);
  expect(reading?.millis).toBeLessThan(20_000);
  expect(reading?.isStorable).toBe(true);
  expect(reading?.textBytes).toBeLessThanOrEqual(maxTextBytes);
  expect(reading?.mediaType).toMatch(/^[\w.+-]+\/[\w.+-]+$/);
});

test("the process that read them is unharmed", () => {
  const slowest = found.readings.toSorted((one, other) => other.millis - one.millis)[0];
  process.stderr.write(
    `hostile files: ${found.readings.length} read, the slowest (${slowest?.name}) in ${slowest?.millis.toFixed(0)} ms; ` +
      `memory grew by ${(found.peakGrowthBytes / 1024 ** 2).toFixed(1)} MiB at its peak; ` +
      `the event loop waited ${found.longestDelayMillis.toFixed(0)} ms at most\n`,
  );
  expect(found.peakGrowthBytes).toBeLessThan(50 * 1024 ** 2);
  expect(found.leftDescriptors).toBe(0);
  expect(found.leftProcesses).toBe(0);
  // A server with a longer delay sheds load.
  expect(found.longestDelayMillis).toBeLessThan(1_000);
});
