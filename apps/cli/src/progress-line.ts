import type { ProgressAnswer } from "@svc/protocol/exchange";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import type { Terminal } from "./terminal.ts";

const barWidth = 24;
const redrawMillis = 100;

type Step = Omit<ProgressAnswer, "kind">;

/** One line that overwrites itself, for a person at a terminal. Very short work is not shown at all. */
export class ProgressLine {
  readonly #terminal: Terminal;
  #latest: Step | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDrawn = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(step: Step): void {
    if (!this.#terminal.isWatched) return;
    this.#latest = step;
    this.#timer ??= setTimeout(() => this.#draw(), redrawMillis);
  }

  /** Any other short-lived message. */
  say(text: string): void {
    if (!this.#terminal.isWatched) return;
    const line = cutToWidth(toTerminalLine(text), (this.#terminal.columns ?? 80) - 1);
    this.#isDrawn = true;
    void this.#terminal.error(`\r${line}\u001b[K`);
  }

  async clear(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isDrawn) await this.#terminal.error("\r\u001b[K");
    this.#isDrawn = false;
  }

  #draw(): void {
    this.#timer = undefined;
    if (!this.#latest) return;
    const { label, done, total, unit } = this.#latest;
    const amount = unit === "bytes" ? readableBytes : String;
    const whole = total === undefined ? "" : ` of ${amount(total)}`;
    const counted = unit === undefined || unit === "bytes" ? "" : ` ${unit}`;
    this.say(`${label}  ${bar(done, total)}${amount(done)}${whole}${counted}`);
  }
}

/** A wrapped line cannot be overwritten. Possibly wide characters count as wide: measuring them takes 10 ms to load. */
function cutToWidth(text: string, columns: number): string {
  let left = columns;
  let cut = "";
  for (const character of text) {
    left -= (character.codePointAt(0) ?? 0) < 0x1100 || "█░…".includes(character) ? 1 : 2;
    if (left < 0) break;
    cut += character;
  }
  return cut;
}

function bar(done: number, total: number | undefined): string {
  if (!total) return "";
  const filled = Math.min(barWidth, Math.floor((done / total) * barWidth));
  return `${"█".repeat(filled)}${"░".repeat(barWidth - filled)}  `;
}

export function readableBytes(bytes: number): string {
  if (bytes < 10_000) return `${bytes} B`;
  if (bytes < 10_000_000) return `${Math.round(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
