import { relative } from "node:path";
import { BaseSequencer, createVitest, type TestSpecification } from "vitest/node";

/** Runs test files in this order, and gives up those that have not ended by then. */
export async function runTestsUntil(
  files: readonly string[],
  deadline: number,
): Promise<{ isPassed: boolean; ended: number }> {
  if (files.length === 0) return { isPassed: true, ended: 0 };
  class InThisOrder extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      const place = ({ moduleId }: TestSpecification) => files.indexOf(relative(process.cwd(), moduleId));
      return specifications.toSorted((a, b) => place(a) - place(b));
    }
  }
  const vitest = await createVitest("test", {
    run: true,
    watch: false,
    project: ["tests", "isolated"],
    tagsFilter: ["!long && !nightly && !quarantine"],
    sequence: { sequencer: InThisOrder },
    passWithNoTests: true,
  });
  await vitest.standalone();
  const timer = setTimeout(
    () => void vitest.cancelCurrentRun("keyboard-input"),
    deadline - performance.now(),
  );
  const specifications = await Promise.all(
    files.map((file) => vitest.getModuleSpecifications(`${process.cwd()}/${file}`)),
  );
  const { testModules } = await vitest.runTestSpecifications(specifications.flat());
  clearTimeout(timer);
  const ended = testModules.filter((module) => ["passed", "failed"].includes(module.state()));
  const isPassed =
    testModules.every((module) => module.state() !== "failed") &&
    vitest.state.getUnhandledErrors().length === 0;
  await vitest.close();
  return { isPassed, ended: ended.length };
}
