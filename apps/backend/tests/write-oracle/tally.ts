const outcomes = ["committed", "previewed", "refused"] as const;
type Outcome = (typeof outcomes)[number];

/** How often each command ended with each outcome. */
export class Tally {
  readonly #counts = new Map<string, Record<Outcome, number>>();

  count(command: string, outcome: Outcome, times = 1): void {
    const counts = this.#counts.get(command) ?? { committed: 0, previewed: 0, refused: 0 };
    counts[outcome] += times;
    this.#counts.set(command, counts);
  }

  add(other: Tally): void {
    for (const [command, counts] of other.#counts) {
      for (const outcome of outcomes) this.count(command, outcome, counts[outcome]);
    }
  }

  of(command: string): Record<Outcome, number> {
    return this.#counts.get(command) ?? { committed: 0, previewed: 0, refused: 0 };
  }

  toString(): string {
    const sum = (outcome: Outcome) =>
      [...this.#counts.values()].reduce((all, counts) => all + counts[outcome], 0);
    return outcomes.map((outcome) => `${sum(outcome)} ${outcome}`).join(", ");
  }
}
