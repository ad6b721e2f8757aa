import { setTimeout as sleep } from "node:timers/promises";

export interface ProbeOptions<Answer> {
  /** Its signal ends it after `limitMillis`; what ignores the signal counts as failed, and is not asked a second time. */
  ask(signal: AbortSignal): Promise<Answer>;
  onFailure(error: unknown): Answer;
  limitMillis: number;
  /** How long an answer holds. */
  freshMillis: number;
}

/** Asks something that may hang: one question at a time, whoever asks, and an answer in time. */
export class Probe<Answer> {
  readonly #options: ProbeOptions<Answer>;
  #asking: Promise<Answer> | undefined;
  #known: { answer: Answer; at: number } | undefined;

  constructor(options: ProbeOptions<Answer>) {
    this.#options = options;
  }

  /** What it answers within this time; after that, what it answered last. */
  async answer(withinMillis: number): Promise<Answer> {
    const known = this.#known;
    if (known && performance.now() - known.at < this.#options.freshMillis) return known.answer;
    this.#asking ??= this.#ask();
    const inTime = this.#asking.then((answer) => ({ answer }));
    const { answer } = (await Promise.race([inTime, after(withinMillis)])) ?? this.#known ?? this.#silence();
    return answer;
  }

  async #ask(): Promise<Answer> {
    const { ask, onFailure, limitMillis } = this.#options;
    const remember = (answer: Answer) => {
      this.#known = { answer, at: performance.now() };
      return answer;
    };
    const late = setTimeout(() => remember(this.#silence().answer), limitMillis).unref();
    try {
      return remember(await ask(AbortSignal.timeout(limitMillis)));
    } catch (error) {
      return remember(onFailure(error));
    } finally {
      clearTimeout(late);
      this.#asking = undefined;
    }
  }

  #silence(): { answer: Answer } {
    const { onFailure, limitMillis } = this.#options;
    return { answer: onFailure(new Error(`no answer within ${limitMillis} ms`)) };
  }
}

function after(millis: number): Promise<undefined> {
  return sleep(millis, undefined, { ref: false });
}
