import { cutToWidth, progressText, type Step, waitingText } from "@svc/rendering/progress-text";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import type { Terminal } from "./terminal.ts";

const redrawMillis = 100;

/** One line that overwrites itself, for a person at a terminal. Very short work is not shown at all. */
export class ProgressLine {
  readonly #terminal: Terminal;
  #step: (Step & { from: number; since: number }) | undefined;
  #waiting: { reason: string; until: number; since: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDrawn = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** The server knows no subject: its steps continue what was sent. What is done never becomes less. */
  show(step: Step): void {
    const before = this.#step;
    const subject = step.subject ?? before?.subject;
    const isSame = before?.label === step.label && before.subject === subject;
    this.#step = isSame
      ? { ...before, ...step, subject, done: Math.max(step.done, before.done) }
      : { ...step, subject, from: step.done, since: performance.now() };
    this.#begin();
  }

  /** Counts down; of several waits, the longest. */
  wait(reason: string, millis: number): void {
    const since = performance.now();
    const until = since + millis;
    if (until > (this.#waiting?.until ?? 0)) this.#waiting = { reason, until, since };
    this.#begin();
  }

  /** Any other short-lived message. */
  say(text: string): void {
    this.#stop();
    this.#draw(toTerminalLine(text));
  }

  async clear(): Promise<void> {
    this.#stop();
    if (this.#isDrawn) await this.#terminal.error("\r\u001b[K");
    this.#isDrawn = false;
  }

  #begin(): void {
    if (this.#terminal.isWatched) this.#timer ??= setInterval(() => this.#draw(this.#text()), redrawMillis);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #text(): string {
    const now = performance.now();
    if (this.#waiting && (now < this.#waiting.until || !this.#step)) {
      const { reason, until, since } = this.#waiting;
      return waitingText(reason, until - now, now - since);
    }
    if (!this.#step) return "";
    const { since, from, ...step } = this.#step;
    return progressText(step, { columns: this.#columns, millis: now - since, from });
  }

  #draw(text: string): void {
    if (!this.#terminal.isWatched) return;
    this.#isDrawn = true;
    void this.#terminal.error(`\r${cutToWidth(text, this.#columns)}\u001b[K`);
  }

  /** A terminal shows ^C behind it; on the next line that could not be overwritten. */
  get #columns(): number {
    return (this.#terminal.columns ?? 80) - 3;
  }
}
