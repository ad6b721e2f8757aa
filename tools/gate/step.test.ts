import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { runSteps, type Step } from "./step.ts";

const folder = mkdtempSync(join(tmpdir(), "svc-steps-"));
afterAll(() => rmSync(folder, { recursive: true }));
const printed = vi.spyOn(console, "log").mockImplementation(() => {});
afterAll(() => printed.mockRestore());

const script = (name: string, code: string): Step => ({ name, command: [process.execPath, "--eval", code] });

test("runs every step, also behind one that fails, and shows what that one printed", async () => {
  const failing = script("failing", "console.log('figures'); throw new Error('no server')");
  const ended = await runSteps([failing, script("passing", ""), script("last", "")], 1, folder);
  expect(ended.map(({ name, isPassed }) => [name, isPassed])).toEqual([
    ["failing", false],
    ["passing", true],
    ["last", true],
  ]);
  expect(printed.mock.calls.join("\n")).toMatch(/FAILED failing.*figures.*no server.*failing ended with 1/s);
});

test("a program that does not exist fails its step", async () => {
  const [ended] = await runSteps([{ name: "missing", command: ["no-such-program"] }], 2, folder);
  expect(ended).toMatchObject({ isPassed: false });
  expect(readFileSync(join(folder, "missing.log"), "utf8")).toContain("ENOENT");
});

test("as many at once as there are lanes", async () => {
  // Each of the two waits for a file that the other writes.
  const meet = (mine: string, other: string) =>
    script(
      mine,
      `const fs = require("fs"); fs.writeFileSync(${JSON.stringify(join(folder, mine))}, "");
       while (!fs.existsSync(${JSON.stringify(join(folder, other))})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);`,
    );
  const ended = await runSteps([meet("one", "two"), meet("two", "one")], 2, folder);
  expect(ended.every(({ isPassed }) => isPassed)).toBe(true);
});
