import { readFileSync } from "node:fs";
import { findLockProblems, findScriptProblems, type LockEntries } from "./lock/find-lock-problems.ts";

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: LockEntries };
const { allowScripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  allowScripts: Record<string, boolean>;
};
const problems = [...findLockProblems(packages), ...findScriptProblems(packages, allowScripts)];
for (const problem of problems) console.error(problem);
console.log(
  `${Object.keys(packages).length} entries of package-lock.json checked, ${problems.length} problems`,
);
if (problems.length > 0) process.exitCode = 1;
