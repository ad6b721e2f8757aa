import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

type TestOptions = NonNullable<TestProjectInlineConfiguration["test"]>;

const setupFiles = ["packages/testing/src/tell-causes.ts"];
const all = named(".test.ts");
const faults = named(".faults.test.ts");
const e2e = named(".e2e.test.ts");
const unit = all.filter((file) => !faults.includes(file) && !e2e.includes(file));

export default defineConfig({
  test: {
    // Tests wait for PostgreSQL and for other processes: one worker more than cores keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
    tags: [{ name: "long", description: "takes many seconds; runs in CI, not with `npm test`" }],
    projects: [
      // Nothing depends on these limits: only a test that hangs takes as long on the slowest machine.
      ...sharingModules("unit", unit, { testTimeout: 300_000, hookTimeout: 300_000 }),
      // Fault and model tests: small samples by default, full size with SVC_FAULTS=full.
      ...sharingModules("faults", faults, {
        testTimeout: process.env.SVC_FAULTS === undefined ? 300_000 : 30 * 60_000,
        hookTimeout: 300_000,
      }),
      {
        // Real processes, two files at a time: each file waits for its own most of the time.
        test: {
          name: "e2e",
          include: e2e,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});

/**
 * Test files of one worker load each module once, which halves the processor time. Files that replace modules
 * (`vi.mock`) would replace them for others, so they get a worker each.
 */
function sharingModules(
  name: string,
  files: string[],
  options: TestOptions,
): TestProjectInlineConfiguration[] {
  const replacing = files.filter((file) => readFileSync(file, "utf8").includes("vi.mock("));
  const sharing = files.filter((file) => !replacing.includes(file));
  return [
    { test: { ...options, setupFiles, name, include: sharing, isolate: false } },
    { test: { ...options, setupFiles, name: `${name}-isolated`, include: replacing } },
  ];
}

function named(ending: string): string[] {
  return globSync(`{apps,packages,tools}/**/*${ending}`, { exclude: ["**/node_modules/**"] });
}
