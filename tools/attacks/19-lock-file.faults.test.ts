import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findLockProblems, type LockEntries } from "../lock/find-lock-problems.ts";

test("finding 19: every entry of the lock file has an integrity hash", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: LockEntries };
  expect(findLockProblems(packages)).toEqual([]);
});
