import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "count-tests-"));
afterAll(() => rmSync(folder, { recursive: true }));

const passing = { ancestorTitles: [""], title: "adds", status: "passed", failureMessages: [] };
const failing = {
  ancestorTitles: ["", "a sum"],
  title: "is exact",
  status: "failed",
  failureMessages: [
    "AssertionError: expected 2 to be 3\n    at /node_modules/vitest/run.js:1:1\n    at sum.test.ts:3:1",
    `Error: next${"\nmore".repeat(50)}`,
  ],
};

test("counts both reports, and names every failure with the start of its message", () => {
  const { stdout, stderr } = count(
    [
      {
        name: resolve("tools/sum.test.ts"),
        status: "failed",
        message: "",
        assertionResults: [passing, failing],
      },
      { name: resolve("tools/fine.test.ts"), status: "passed", message: "", assertionResults: [passing] },
    ],
    [
      {
        name: resolve("tools/broken.test.ts"),
        status: "failed",
        message: "no such module",
        assertionResults: [],
      },
    ],
  );
  expect(stdout).toBe("2 2\n");
  const [named, message, place, next, ...more] = stderr.trimEnd().split("\n");
  expect([named, message, place, next]).toEqual([
    "FAILED tools/sum.test.ts > a sum > is exact",
    "  AssertionError: expected 2 to be 3",
    "      at sum.test.ts:3:1",
    "  Error: next",
  ]);
  expect(more.slice(0, -2)).toEqual(Array(12).fill("  more"));
  expect(more.slice(-2)).toEqual(["FAILED tools/broken.test.ts", "  no such module"]);
});

test("a file whose hook threw failed, though its tests were only skipped", () => {
  const skipped = { ...passing, status: "skipped" };
  const { stdout, stderr } = count([
    {
      name: resolve("tools/hook.test.ts"),
      status: "failed",
      message: "no database",
      assertionResults: [skipped],
    },
  ]);
  expect(stdout).toBe("0 1\n");
  expect(stderr).toBe("FAILED tools/hook.test.ts\n  no database\n");
});

type TestFile = { name: string; status: string; message: string; assertionResults: { status: string }[] };

function count(...reports: TestFile[][]) {
  const paths = reports.map((_, index) => join(folder, `${index}.json`));
  for (const [index, testResults] of reports.entries()) {
    const passed = testResults
      .flatMap((file) => file.assertionResults)
      .filter(({ status }) => status === "passed");
    writeFileSync(paths[index] ?? "", JSON.stringify({ numPassedTests: passed.length, testResults }));
  }
  return spawnSync(process.execPath, ["tools/count-tests.ts", ...paths], { encoding: "utf8" });
}
