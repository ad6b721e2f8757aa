import { readFileSync } from "node:fs";
import { relative } from "node:path";

type Report = {
  numPassedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: {
      ancestorTitles: string[];
      title: string;
      status: string;
      failureMessages: string[];
    }[];
  }[];
};

/**
 * Sums vitest's JSON reports: `passed failed` on one line. A file that failed though none of its tests did (it did not
 * load, or one of its hooks threw) counts as a failure. Every failure is printed to standard error, for people who
 * see only the end of the output.
 */
const totals = { passed: 0, failed: 0 };
for (const path of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(path, "utf8")) as Report;
  totals.passed += report.numPassedTests;
  for (const file of report.testResults) {
    const tests = file.assertionResults.filter(({ status }) => status === "failed");
    for (const { ancestorTitles, title, failureMessages } of tests) {
      tell([file.name, ...ancestorTitles, title], failureMessages.join("\n"));
    }
    if (file.status === "failed" && tests.length === 0) tell([file.name], file.message);
  }
}
console.log(`${totals.passed} ${totals.failed}`);

function tell([file = "", ...titles]: string[], message: string) {
  totals.failed += 1;
  const heading = [relative(process.cwd(), file), ...titles].filter((part) => part !== "").join(" > ");
  const lines = message.split("\n").filter((line) => !line.includes("/node_modules/vitest/"));
  console.error([`FAILED ${heading}`, ...lines.slice(0, 15).map((line) => `  ${line}`)].join("\n"));
}
