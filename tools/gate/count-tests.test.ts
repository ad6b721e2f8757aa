import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { countTests } from "./count-tests.ts";

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
  const { passed, failures } = count(
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
  expect(passed).toBe(2);
  const [named, message, place, next, ...more] = failures.join("\n").split("\n");
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
  const counted = count([
    {
      name: resolve("tools/hook.test.ts"),
      status: "failed",
      message: "no database",
      assertionResults: [skipped],
    },
  ]);
  expect(counted).toEqual({ passed: 0, failures: ["FAILED tools/hook.test.ts\n  no database"] });
});

type TestFile = { name: string; status: string; message: string; assertionResults: { status: string }[] };

test("a run that ended before its report counts nothing: its step failed", () => {
  expect(countTests([join(folder, "missing.json")])).toEqual({ passed: 0, failures: [] });
});

function count(...reports: TestFile[][]) {
  const paths = reports.map((_, index) => join(folder, `${index}.json`));
  for (const [index, testResults] of reports.entries()) {
    const passed = testResults
      .flatMap((file) => file.assertionResults)
      .filter(({ status }) => status === "passed");
    writeFileSync(paths[index] ?? "", JSON.stringify({ numPassedTests: passed.length, testResults }));
  }
  return countTests(paths);
}
