import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LimitedLines } from "./limited-lines.ts";

let lines: LimitedLines;
let written: Record<string, unknown>[];

beforeEach(() => {
  vi.useFakeTimers();
  lines = new LimitedLines();
  written = [];
});
afterEach(() => void vi.useRealTimers());

function write(kind: string, number: number): void {
  lines.write(kind, { kind, number }, "it failed", (line) => written.push(line));
}

test("writes the first line of each kind at once", () => {
  write("a", 1);
  write("b", 2);
  expect(written).toEqual([
    { kind: "a", number: 1 },
    { kind: "b", number: 2 },
  ]);
});

test("writes one line of a kind in ten seconds, with the number of those left out", () => {
  for (let number = 1; number <= 5; number += 1) write("a", number);
  vi.advanceTimersByTime(10_000);
  expect(written).toEqual([
    { kind: "a", number: 1 },
    { kind: "a", number: 5, suppressed: 3 },
  ]);
  write("a", 6);
  expect(written).toHaveLength(2);
  vi.advanceTimersByTime(10_000);
  expect(written.at(-1)).toEqual({ kind: "a", number: 6 });
});

test("forgets a kind that stays away, and writes its next line at once", () => {
  write("a", 1);
  vi.advanceTimersByTime(10_000);
  expect(vi.getTimerCount()).toBe(0);
  write("a", 2);
  expect(written).toHaveLength(2);
});

test("loses none when the process stops", () => {
  for (let number = 1; number <= 7; number += 1) write(number % 2 ? "a" : "b", number);
  lines.flush();
  const suppressed = written.reduce((sum, line) => sum + Number(line.suppressed ?? 0), 0);
  expect(written.length + suppressed).toBe(7);
  expect(vi.getTimerCount()).toBe(0);
});
