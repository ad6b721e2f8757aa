import type { Outcome } from "../../src/platform/text/extract-text.ts";

export interface HostileFile {
  /** What is wrong with it. */
  what: string;
  /** As uploaded. */
  name: string;
  make(): Uint8Array;
  /** Several if a faster machine gets further. */
  outcome: Outcome | readonly Outcome[];
}
