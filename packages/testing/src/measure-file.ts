import { readFileSync } from "node:fs";
import { afterAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Processor time of a test file, in seconds: of its worker, and of the processes that it started and waited for. */
    processor?: { own: number; children: number };
  }
}

/** Linux counts in hundredths of a second. */
const ticksPerSecond = 100;

function processorSeconds(): { own: number; children: number } {
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / 1e6, children: childrenSeconds() };
}

/** Other systems do not say. */
function childrenSeconds(): number {
  if (process.platform !== "linux") return 0;
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The name of the program, which may contain spaces, ends with the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}

// A setup file is executed before each test file is imported, so that its imports count.
const begun = processorSeconds();

// biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures a hook needs off this pattern
afterAll(({}, file) => {
  const now = processorSeconds();
  file.meta.processor = { own: now.own - begun.own, children: now.children - begun.children };
});
