import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** What the last gate of this checkout printed and measured. */
export const gateFolder = resolve(import.meta.dirname, "../../.dev/gate");
export const timesOfGate = join(gateFolder, "times.jsonl");

export interface FileTimes {
  file: string;
  /** Processor time of the worker and of the processes that the file started, in seconds. */
  own: number;
  children: number;
  /** By the clock. */
  seconds: number;
}

/** The 20 files that took most processor time, as a table. */
export function slowestFiles(times: readonly FileTimes[], count = 20): string {
  const total = ({ own, children }: FileTimes) => own + children;
  const slowest = times.toSorted((a, b) => total(b) - total(a)).slice(0, count);
  const sum = times.reduce((seconds, file) => seconds + total(file), 0);
  const cell = (seconds: number) => seconds.toFixed(1).padStart(8);
  return [
    `${cell(sum)} s of processor time in ${times.length} files. The slowest, without PostgreSQL:`,
    "    self children  by the clock",
    ...slowest.map(
      ({ own, children, seconds, file }) => `${cell(own)} ${cell(children)} ${cell(seconds)}  ${file}`,
    ),
  ].join("\n");
}

/** As the reporter wrote them. */
export function readTimes(path: string): FileTimes[] {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as FileTimes);
}
