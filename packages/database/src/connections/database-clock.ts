const freshMillis = 60_000;

/**
 * The database's clock, read with every transaction and carried on by a timer that nobody sets. Behind by at most the
 * time that the last `begin` took.
 */
export class DatabaseClock {
  #reading: { time: number; at: number } | undefined;

  note(time: Date): void {
    this.#reading = { time: time.getTime(), at: performance.now() };
  }

  get isFresh(): boolean {
    return this.#reading !== undefined && performance.now() - this.#reading.at < freshMillis;
  }

  now(): Date {
    if (!this.#reading) throw new Error("the database's clock was not read yet");
    return new Date(this.#reading.time + performance.now() - this.#reading.at);
  }
}
