import type { Readable, Writable } from "node:stream";
import type { ProgressAnswer } from "@svc/protocol/exchange";
import { toTerminalLine } from "@svc/protocol/terminal-text";

/** Where a person, a pipe or a program is. */
export interface Terminal {
  /** The result, and nothing else. */
  out(text: string): void;
  error(text: string): void;
  /** Undefined where the result goes into a pipe or a file. */
  columns: number | undefined;
  /** Whether somebody watches what is said beside the result. */
  isWatched: boolean;
  /** For what comes or goes as bytes: `-`. */
  input: Readable;
  output: Writable;
}

/** One line that is written over itself, for who watches. */
export class ProgressLine {
  readonly #terminal: Terminal;
  #shownAt = 0;
  #width = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show({ label, done, total, unit }: Omit<ProgressAnswer, "kind">): void {
    const now = performance.now();
    if (!this.#terminal.isWatched || (now - this.#shownAt < 100 && done !== total)) return;
    this.#shownAt = now;
    const amount = unit === "bytes" ? readableBytes(done) : `${done}`;
    const whole = total === undefined ? "" : ` of ${unit === "bytes" ? readableBytes(total) : total}`;
    const counted = unit === undefined || unit === "bytes" ? "" : ` ${unit}`;
    const line = toTerminalLine(`${label} ${amount}${whole}${counted}`);
    this.#terminal.error(`\r${line.padEnd(this.#width)}`);
    this.#width = line.length;
  }

  clear(): void {
    if (this.#width > 0) this.#terminal.error(`\r${" ".repeat(this.#width)}\r`);
    this.#width = 0;
  }
}

function readableBytes(bytes: number): string {
  if (bytes < 10_000) return `${bytes} B`;
  if (bytes < 10_000_000) return `${Math.round(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
