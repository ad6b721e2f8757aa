import { ProblemError } from "@svc/protocol/problem";
import type { CommandFacts } from "./catalog.ts";

/** For a line with flags that say how to save a file. Before anything runs: ignored, they would seem to have worked. */
export function requireFile({ path, presentation }: CommandFacts): void {
  if (presentation.as === "file") return;
  throw new ProblemError("usage", `\`${path}\` saves no file: leave out --output and --force.`, {
    hint: `Your shell can save what it prints: svc ${path} … > file`,
  });
}
