import type { Outcome } from "../../src/platform/text/extract-text.ts";

interface Reading {
  name: string;
  outcome: Outcome;
  mediaType: string;
  millis: number;
  textBytes: number;
  /** Neither NUL nor half of a surrogate pair in it. */
  isStorable: boolean;
}

/** The effect of reading them on the process. */
export interface HostileReadings {
  readings: Reading[];
  /** Peak growth of resident memory. */
  peakGrowthBytes: number;
  leftDescriptors: number;
  leftProcesses: number;
  longestDelayMillis: number;
}
