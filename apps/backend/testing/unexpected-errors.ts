import type { DestinationStream } from "pino";

/** A log that remembers the last unexpected error: an answer says only that something went wrong. */
export class UnexpectedErrors implements DestinationStream {
  /** Its stack, with the line that threw. */
  last: string | undefined;
  readonly #next: DestinationStream | undefined;

  constructor(next?: DestinationStream) {
    this.#next = next;
  }

  write(line: string): void {
    this.#next?.write(line);
    if (!line.includes('"unexpected error"')) return;
    const { err } = JSON.parse(line) as { err?: { stack?: string; message?: string } };
    this.last = err?.stack ?? err?.message ?? line;
  }
}
