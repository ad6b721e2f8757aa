import type { Outcome } from "./extraction.ts";

/** Ends a reading on purpose, from however deep. Whatever else is thrown is a crash. */
export class ReadingEnded extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super(outcome);
    this.outcome = outcome;
  }
}
