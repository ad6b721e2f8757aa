import type { Outcome } from "./extraction.ts";

/** Ends reading on purpose, from any depth. Any other error is a crash. */
export class ReadingEnded extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super(outcome);
    this.outcome = outcome;
  }
}
