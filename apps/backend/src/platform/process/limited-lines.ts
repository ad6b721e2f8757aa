type Line = { err?: unknown } & Record<string, unknown>;
type Write = (line: Line, message: string) => void;

interface Window {
  timer: NodeJS.Timeout;
  suppressed: number;
  /** The last line that was not written, which is written when the window ends. */
  writeLast?: (suppressed: number) => void;
}

/** At most one line of each kind in this time: an outage of seconds fails thousands of requests for one reason. */
const windowMillis = 10_000;

/**
 * Writes the first line of a kind at once, and after that one in ten seconds, which says how many were left out. Lines
 * and counts add up to what was given, even if the process stops: `flush` writes the rest.
 */
export class LimitedLines {
  readonly #windows = new Map<string, Window>();

  write(kind: string, line: Line, message: string, write: Write): void {
    const window = this.#windows.get(kind);
    if (!window) {
      this.#open(kind);
      write(line, message);
      return;
    }
    window.suppressed += 1;
    window.writeLast = (suppressed) => write(suppressed > 0 ? { ...line, suppressed } : line, message);
  }

  flush(): void {
    for (const kind of [...this.#windows.keys()]) this.#end(kind);
  }

  #open(kind: string): void {
    const timer = setTimeout(() => {
      if (this.#end(kind)) this.#open(kind);
    }, windowMillis).unref();
    this.#windows.set(kind, { timer, suppressed: 0 });
  }

  /** Returns whether there was something left to write. */
  #end(kind: string): boolean {
    const window = this.#windows.get(kind);
    this.#windows.delete(kind);
    clearTimeout(window?.timer);
    if (!window?.writeLast) return false;
    window.writeLast(window.suppressed - 1);
    return true;
  }
}
