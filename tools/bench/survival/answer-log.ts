export type CallKind = "read" | "search" | "write" | "upload";

/** One answer, or a request that got none: its status is 0. Times are milliseconds of one clock. */
export interface Answer {
  kind: CallKind;
  sentAt: number;
  answeredAt: number;
  status: number;
  hasRetryAfter: boolean;
}

/** Everything that callers saw, in the order of the answers. */
export class AnswerLog {
  readonly #answers: Answer[] = [];

  add(answer: Answer): void {
    this.#answers.push(answer);
  }

  after(moment: number): Answer[] {
    return this.#answers.filter(({ answeredAt }) => answeredAt >= moment);
  }

  /** The longest time without an acknowledged write, from the moment on. */
  longestSecondsWithoutWrite(from: number, to: number): number {
    const acknowledged = this.after(from)
      .filter(({ kind, status, answeredAt }) => kind === "write" && status === 200 && answeredAt <= to)
      .map(({ answeredAt }) => answeredAt);
    const moments = [from, ...acknowledged, to];
    const gaps = moments.slice(1).map((moment, index) => moment - (moments[index] ?? moment));
    return Math.max(...gaps) / 1_000;
  }

  /** How long nobody was told anything; 0 if nobody had to be. */
  secondsToFirst503(from: number): number {
    const first = this.after(from).find(({ status }) => status === 503);
    return first ? (first.answeredAt - from) / 1_000 : 0;
  }
}

export function isFailed({ status }: Answer): boolean {
  return status !== 200;
}

export function is503({ status }: Answer): boolean {
  return status === 503;
}
