import { type Load, type Measurement, measureHttp, type Target } from "./measure-http.ts";
import { median } from "./quantile.ts";
import type { Table } from "./report.ts";

export interface Rounds extends Load {
  rounds: number;
}

/**
 * Two targets in turn, only one under load at a time. What else the machine does changes from minute to minute and
 * weighs on both halves of a round alike: so the two are compared within a round, and the median round counts.
 */
export class Comparison {
  readonly #subject: Contestant;
  readonly #baseline: Contestant;

  private constructor(subject: Contestant, baseline: Contestant) {
    this.#subject = subject;
    this.#baseline = baseline;
  }

  static async run(subject: Target, baseline: Target, { rounds, ...load }: Rounds): Promise<Comparison> {
    const pair = [subject, baseline].map((target): Contestant => ({ target, measured: [] }));
    for (const { target } of pair) await measureHttp(target, load);
    for (let round = 0; round < rounds; round += 1) {
      // The order changes, so that neither always follows the other.
      for (const contestant of round % 2 === 0 ? pair : pair.toReversed()) {
        const measured = await measureHttp(contestant.target, load);
        contestant.measured.push(measured);
        console.error(
          `round ${round + 1}/${rounds}  ${contestant.target.name}  ` +
            `${measured.requestsPerSecond.toFixed(0)}/s  p99 ${measured.p99.toFixed(1)} ms`,
        );
      }
    }
    return new Comparison(...(pair as [Contestant, Contestant]));
  }

  /** How many times the baseline's figure the subject's is. */
  ratio(figure: keyof Measurement): number {
    return median(
      this.#subject.measured.map((measured, round) => {
        const base = this.#baseline.measured[round];
        if (!base) throw new Error("a round lacks its other half");
        return measured[figure] / base[figure];
      }),
    );
  }

  table(title: string): Table {
    const rows = [this.#subject, this.#baseline].map(({ target, measured }) => ({
      target: target.name,
      "requests/s": median(measured.map(({ requestsPerSecond }) => requestsPerSecond)),
      "median ms": median(measured.map((each) => each.median)),
      "p99 ms": median(measured.map(({ p99 }) => p99)),
    }));
    const ratios = {
      target: "ratio, median of rounds",
      "requests/s": this.ratio("requestsPerSecond"),
      "median ms": this.ratio("median"),
      "p99 ms": this.ratio("p99"),
    };
    return { title, rows: [...rows, ratios] };
  }
}

interface Contestant {
  target: Target;
  measured: Measurement[];
}
