import { expect, test } from "vitest";
import { nightTable } from "./night-table.ts";

const night = { night: "2026-11-19T22:00:00.000Z", commit: "b73406f9", seed: "7", ended: "" };
const agents = {
  ...{ ...night, part: "agents", size: "3 files", passed: 11, failed: 1, seconds: 63, figures: [] },
  failures: ["SVC_SEED=7 SVC_FAULTS=full npx vitest run a.test.ts -t 'b'"],
};
const bench = (value: number) => ({
  ...{ ...night, part: "bench/router", size: "full", passed: 1, failed: 0, seconds: 5, failures: [] },
  figures: [{ bench: "router", bars: [{ name: "microseconds a line, at most", value, bar: 5, ok: true }] }],
});

test("a row for each part, and the line that repeats each failure", () => {
  expect(nightTable([agents]).replaceAll(/ +/g, " ")).toBe(
    [
      "PART SIZE PASSED FAILED SECONDS SEED",
      "agents 3 files 11 1 63 7",
      "",
      "To repeat a failure:",
      "SVC_SEED=7 SVC_FAULTS=full npx vitest run a.test.ts -t 'b'",
    ].join("\n"),
  );
});

test("figures beside those of the night before", () => {
  expect(nightTable([bench(3.1)], () => bench(2.9))).toContain(
    "bench/router: microseconds a line, at most 5: 3.1, before 2.9",
  );
  expect(nightTable([bench(3.1)])).toContain("bench/router: microseconds a line, at most 5: 3.1");
});
