import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const repository = join(import.meta.dirname, "../../..");
const weights = JSON.parse(readFileSync(join(import.meta.dirname, "../weights.json"), "utf8")) as Record<
  string,
  number
>;

/**
 * Starts the longest files first, so that no worker is left with one at the end. The weights are committed, not measured:
 * the order is the same on every machine. `npm run test:times -- --write` measures them.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weightOf = ({ moduleId }: TestSpecification) =>
      weights[relative(repository, moduleId)] ?? Number.POSITIVE_INFINITY;
    // A worker is used again only while its project goes on.
    const projectOf = ({ project }: TestSpecification) => (project.config.isolate ? 0 : 1);
    return files.toSorted(
      (a, b) =>
        projectOf(a) - projectOf(b) ||
        a.project.name.localeCompare(b.project.name) ||
        weightOf(b) - weightOf(a) ||
        a.moduleId.localeCompare(b.moduleId),
    );
  }
}
