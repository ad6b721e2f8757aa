import type { Report } from "../bench/report.ts";

/** One file in `tools/evaluations` exports this as its default. */
export interface Evaluation {
  /** One line: what holds if the bars are reached. */
  summary: string;
  /** Reads its own arguments: whatever follows its name on the command line. */
  run(given: string[]): Promise<Report>;
}
