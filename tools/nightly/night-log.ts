import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { dirname } from "node:path";
import type { Outcome } from "./run-part.ts";

/** Begins a night: what it runs. */
export interface Night {
  /** When it began, which is also its name. */
  night: string;
  commit: string;
  seed: string;
  parts: readonly string[];
}

export interface PartRow extends Outcome {
  night: string;
  commit: string;
  seed: string;
  part: string;
  size: string;
  seconds: number;
  ended: string;
}

const longestPauseMillis = 86_400_000;

/** A file with one line of JSON for each night and each part that ended. All that the nightly run knows is in it. */
export class NightLog {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** The newest night of these parts at this commit if it was cut off within the last day, else a new one. */
  openNight(
    wanted: { commit: string; parts: readonly string[]; seed: string | undefined },
    now: Date,
    drawSeed: () => string,
  ): Night {
    const night = this.#nights().findLast(
      ({ commit, parts, seed }) =>
        commit === wanted.commit && String(parts) === String(wanted.parts) && seed === (wanted.seed ?? seed),
    );
    if (night !== undefined && this.#isCutOff(night, now)) return night;
    const { commit, parts, seed = drawSeed() } = wanted;
    const opened = { night: now.toISOString(), commit, seed, parts };
    this.#append(opened);
    return opened;
  }

  addRow(row: PartRow): void {
    this.#append(row);
  }

  rowsOf({ night }: Pick<Night, "night">): PartRow[] {
    return this.#rows().filter((row) => row.night === night);
  }

  /** The row of this part in the night before. */
  rowBefore({ part, night }: PartRow): PartRow | undefined {
    return this.#rows().findLast((row) => row.part === part && row.night < night);
  }

  #isCutOff(night: Night, now: Date): boolean {
    const rows = this.rowsOf(night);
    const newest = rows.at(-1)?.ended ?? night.night;
    const ended = new Set(rows.map(({ part }) => part));
    const isRecent = now.getTime() - new Date(newest).getTime() < longestPauseMillis;
    return isRecent && night.parts.some((part) => !ended.has(part));
  }

  #nights(): Night[] {
    return this.#read().filter((line) => "parts" in line);
  }

  #rows(): PartRow[] {
    return this.#read().filter((line) => "part" in line);
  }

  #read(): (Night | PartRow)[] {
    return this.#wholeLines()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Night | PartRow);
  }

  /** A line counts once its end is written. What a kill left behind it is cut away before the next. */
  #append(line: Night | PartRow): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    if (existsSync(this.#file)) truncateSync(this.#file, Buffer.byteLength(this.#wholeLines()));
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  #wholeLines(): string {
    if (!existsSync(this.#file)) return "";
    const content = readFileSync(this.#file, "utf8");
    return content.slice(0, content.lastIndexOf("\n") + 1);
  }
}
