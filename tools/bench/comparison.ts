import { type Load, type Measurement, measureHttp, type Target } from "./measure-http.ts";
import { median } from "./quantile.ts";
import type { Table } from "./report.ts";

interface Contestants {
  subject: Target;
  baseline: Target;
}

interface Round {
  subject: Measurement;
  baseline: Measurement;
}

/** Until the server's hot functions are compiled and its pool is full. */
const warmUpSeconds = 3;

/**
 * Two targets in turn, only one under load at a time. Other load on the machine changes from minute to minute and
 * affects both halves of a round equally: so the two are compared within a round, and the median round counts.
 */
export class Comparison {
  readonly #contestants: Contestants;
  readonly #rounds: readonly Round[];

  private constructor(contestants: Contestants, rounds: readonly Round[]) {
    this.#contestants = contestants;
    this.#rounds = rounds;
  }

  static async run(contestants: Contestants, load: Load, count: number): Promise<Comparison> {
    await measureRound(contestants, { ...load, seconds: warmUpSeconds }, "subject");
    const rounds: Round[] = [];
    while (rounds.length < count) {
      // The order changes, so that neither always follows the other.
      const round = await measureRound(contestants, load, rounds.length % 2 === 0 ? "subject" : "baseline");
      rounds.push(round);
      const figures = [round.subject, round.baseline].map(({ requestsPerSecond, p99 }) => {
        return `${requestsPerSecond.toFixed(0)}/s, p99 ${p99.toFixed(1)} ms`;
      });
      console.error(`round ${rounds.length} of ${count}: ${figures.join(" against ")}`);
    }
    return new Comparison(contestants, rounds);
  }

  /** The subject's figure as a multiple of the baseline's. */
  ratio(figure: keyof Measurement): number {
    return median(this.#rounds.map(({ subject, baseline }) => subject[figure] / baseline[figure]));
  }

  table(title: string): Table {
    const row = (target: string, value: (figure: keyof Measurement) => number) => ({
      target,
      "requests/s": value("requestsPerSecond"),
      "median ms": value("median"),
      "p95 ms": value("p95"),
      "p99 ms": value("p99"),
    });
    const { subject, baseline } = this.#contestants;
    return {
      title,
      rows: [
        row(subject.name, (figure) => median(this.#rounds.map((round) => round.subject[figure]))),
        row(baseline.name, (figure) => median(this.#rounds.map((round) => round.baseline[figure]))),
        row("ratio, median of rounds", (figure) => this.ratio(figure)),
      ],
    };
  }
}

async function measureRound(
  { subject, baseline }: Contestants,
  load: Load,
  first: keyof Round,
): Promise<Round> {
  if (first === "subject") {
    return { subject: await measureHttp(subject, load), baseline: await measureHttp(baseline, load) };
  }
  return { baseline: await measureHttp(baseline, load), subject: await measureHttp(subject, load) };
}
