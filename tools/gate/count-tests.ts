import { existsSync, readFileSync } from "node:fs";
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
 * Sums vitest's JSON reports. A file that failed though none of its tests did (it did not load, or one of its hooks threw)
 * counts as a failure. A run that ended before its report has none: its step failed.
 */
export function countTests(reports: readonly string[]): { passed: number; failures: string[] } {
  const counted = { passed: 0, failures: [] as string[] };
  for (const path of reports) {
    if (!existsSync(path)) continue;
    const report = JSON.parse(readFileSync(path, "utf8")) as Report;
    counted.passed += report.numPassedTests;
    for (const file of report.testResults) {
      const tests = file.assertionResults.filter(({ status }) => status === "failed");
      for (const { ancestorTitles, title, failureMessages } of tests) {
        counted.failures.push(describe([file.name, ...ancestorTitles, title], failureMessages.join("\n")));
      }
      if (file.status === "failed" && tests.length === 0) {
        counted.failures.push(describe([file.name], file.message));
      }
    }
  }
  return counted;
}

/** Where it failed, and the start of its message. */
function describe([file = "", ...titles]: string[], message: string): string {
  const heading = [relative(process.cwd(), file), ...titles].filter((part) => part !== "").join(" > ");
  const lines = message.split("\n").filter((line) => !line.includes("/node_modules/vitest/"));
  return [`FAILED ${heading}`, ...lines.slice(0, 15).map((line) => `  ${line}`)].join("\n");
}
