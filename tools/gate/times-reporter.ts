import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import type {} from "@svc/testing/measure-file";
import type { Reporter, TestModule } from "vitest/node";
import { type FileTimes, slowestFiles } from "./file-times.ts";

/**
 * Tells where the processor time of a run went: prints the slowest files, or, for a program that prints them itself,
 * appends a line for each file to SVC_TIMES.
 */
export default class TimesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const times = modules.map(timesOf);
    if (process.env.SVC_TIMES === undefined) console.log(slowestFiles(times));
    else appendFileSync(process.env.SVC_TIMES, times.map((file) => `${JSON.stringify(file)}\n`).join(""));
  }
}

function timesOf(module: TestModule): FileTimes {
  const { own = 0, children = 0 } = module.meta().processor ?? {};
  return {
    file: relative(process.cwd(), module.moduleId),
    own,
    children,
    seconds: module.diagnostic().duration / 1_000,
  };
}
