import { readFileSync } from "node:fs";

/** Sums vitest's JSON reports: `passed failed` on one line. A file that failed to load counts as a failure. */
const totals = { passed: 0, failed: 0 };
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, "utf8")) as {
    numPassedTests: number;
    numFailedTests: number;
    testResults: { status: string; assertionResults: unknown[] }[];
  };
  totals.passed += report.numPassedTests;
  totals.failed += report.numFailedTests;
  totals.failed += report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  ).length;
}
console.log(`${totals.passed} ${totals.failed}`);
