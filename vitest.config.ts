import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { LongestFirst } from "./packages/testing/src/longest-first.ts";

type TestOptions = NonNullable<TestProjectInlineConfiguration["test"]>;

const setupFiles = ["packages/testing/src/tell-causes.ts", "packages/testing/src/measure-file.ts"];
const all = named(".test.ts");
const e2e = named(".e2e.test.ts");
const plants = named("-plants.faults.test.ts");
const tests = all.filter((file) => !e2e.includes(file) && !plants.includes(file));
/** Files that replace modules, or fill what modules keep (`@isolated`), would do so for others: they get a worker each. */
const replacing = tests.filter((file) => /vi\.mock\(|@isolated/.test(readFileSync(file, "utf8")));

/** Nothing depends on these limits: only a test that hangs takes as long on the slowest machine. */
const hang = 30 * 60_000;
const options: TestOptions = { setupFiles, testTimeout: hang, hookTimeout: hang };

export default defineConfig({
  test: {
    // Tests wait for PostgreSQL and for other processes: one worker more than cores keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
    globalSetup: "tools/local-server/test-run.ts",
    ...(process.argv.some((word) => word.startsWith("--sequence."))
      ? {}
      : { sequence: { sequencer: LongestFirst } }),
    // The default is a second, which a busy machine does not keep.
    expect: { poll: { timeout: 60_000 } },
    tags: [
      { name: "long", description: "takes many seconds; runs in the gate, not with `npm test`" },
      { name: "nightly", description: "promises milliseconds or sizes, or takes minutes; runs at night" },
      { name: "quarantine", description: "fails without a change; runs at night until the day it names" },
    ],
    projects: [
      // Files of one worker load each module once, which halves the processor time.
      {
        test: {
          ...options,
          name: "tests",
          include: tests.filter((file) => !replacing.includes(file)),
          isolate: false,
        },
      },
      { test: { ...options, name: "isolated", include: replacing } },
      // Mistakes planted in copies: each must be found.
      { test: { ...options, name: "plants", include: plants } },
      // Real processes, two files at a time: each file waits for its own most of the time.
      { test: { ...options, name: "e2e", include: e2e, maxWorkers: 2 } },
    ],
  },
});

function named(ending: string): string[] {
  return globSync(`{apps,packages,tools}/**/*${ending}`, { exclude: ["**/node_modules/**"] });
}
