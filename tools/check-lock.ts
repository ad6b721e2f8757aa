import { readFileSync } from "node:fs";
import { findLockProblems, type LockEntries } from "./lock/find-lock-problems.ts";

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: LockEntries };
const problems = findLockProblems(packages);
for (const problem of problems) console.error(problem);
console.log(
  `${Object.keys(packages).length} entries of package-lock.json checked, ${problems.length} problems`,
);
if (problems.length > 0) process.exitCode = 1;
