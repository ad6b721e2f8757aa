import { expect, test } from "vitest";
import { slowestFiles } from "./file-times.ts";

test("lists the files that took most processor time, with that of the processes they started", () => {
  const times = [
    { file: "quick.test.ts", own: 0.5, children: 0, seconds: 9 },
    { file: "starts-processes.test.ts", own: 1, children: 4.25, seconds: 2 },
    { file: "slow.test.ts", own: 3, children: 0, seconds: 3 },
  ];
  expect(slowestFiles(times, 2)).toBe(
    [
      "     8.8 s of processor time in 3 files. The slowest, without PostgreSQL:",
      "    self children  by the clock",
      "     1.0      4.3      2.0  starts-processes.test.ts",
      "     3.0      0.0      3.0  slow.test.ts",
    ].join("\n"),
  );
});
