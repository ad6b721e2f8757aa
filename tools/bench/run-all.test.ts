import { afterEach, expect, test, vi } from "vitest";
import { runAll } from "./run-all.ts";

const printed: string[] = [];
vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
afterEach(() => {
  printed.length = 0;
});

const done = { name: "done", command: ["--eval", "console.log('figures')"] };
const failing = {
  name: "failing",
  command: ["--eval", "console.log('figures'); throw new Error('no server')"],
};

test("one line for each that finishes, and a count", async () => {
  expect(await runAll([done, { ...done, name: "another" }])).toBe(true);
  expect(printed).toEqual([
    expect.stringMatching(/^ok +done +\d+\.\d s$/),
    expect.stringMatching(/^ok +another +\d+\.\d s$/),
    "2 of 2 finished",
  ]);
});

test("one that fails is shown with all that it printed, and the others still run", async () => {
  expect(await runAll([failing, done])).toBe(false);
  expect(printed).toEqual([
    expect.stringMatching(/^FAILED failing +\d+\.\d s$/),
    expect.stringMatching(/Error: no server.*figures\nended with 1$/s),
    expect.stringMatching(/^ok +done/),
    "1 of 2 finished, failed: failing",
  ]);
});
