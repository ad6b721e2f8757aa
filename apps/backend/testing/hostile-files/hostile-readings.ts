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

/** What reading them did to the process that had them read. */
export interface HostileReadings {
  readings: Reading[];
  /** Of resident memory, at its highest. */
  peakGrowthBytes: number;
  leftDescriptors: number;
  leftProcesses: number;
  longestDelayMillis: number;
}
