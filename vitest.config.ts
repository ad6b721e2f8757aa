import { defineConfig } from "vitest/config";

const everywhere = ["apps", "packages", "tools"];
const named = (ending: string) => everywhere.map((folder) => `${folder}/**/*${ending}`);

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: named(".test.ts"),
          exclude: ["**/node_modules/**", ...named(".e2e.test.ts"), ...named(".faults.test.ts")],
          // No promise to anybody: only what hangs, on the slowest machine, takes as long.
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        // Long fault and model tests: short by default, at their full size with SVC_FAULTS=full.
        test: {
          name: "faults",
          include: named(".faults.test.ts"),
          testTimeout: process.env.SVC_FAULTS === undefined ? 300_000 : 30 * 60_000,
          hookTimeout: 300_000,
        },
      },
      {
        // Real processes, one file at a time: they share ports and the machine's two cores.
        test: {
          name: "e2e",
          include: named(".e2e.test.ts"),
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
