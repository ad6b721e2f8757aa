import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type FileTimes, readTimes, slowestFiles, timesOfGate } from "./file-times.ts";

/**
 * `npm run test:times [-- PATH…]` runs the tests of the gate, or these, and prints the files that take most processor
 * time; `--last` prints those of the last gate instead. With `--write` tests start in this order from now on.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { last: { type: "boolean", default: false }, write: { type: "boolean", default: false } },
});
const times = values.last ? readTimes(timesOfGate) : measure(positionals);
console.log(slowestFiles(times));
if (values.write) writeWeights(times);

function measure(paths: readonly string[]): FileTimes[] {
  const folder = mkdtempSync(join(tmpdir(), "svc-times-"));
  const file = join(folder, "times.jsonl");
  const reporters = ["--reporter=dot", "--reporter=./tools/gate/times-reporter.ts"];
  const projects = ["--project=tests", "--project=isolated", "--project=e2e"];
  const words = ["run", ...projects, "--tagsFilter=!nightly && !quarantine", ...reporters, ...paths];
  const { status } = spawnSync("vitest", words, {
    stdio: "inherit",
    env: { ...process.env, SVC_TIMES: file },
  });
  process.exitCode = status ?? 1;
  const measured = readTimes(file);
  rmSync(folder, { recursive: true });
  return measured;
}

/** Half seconds: small differences between two machines change nothing. */
function writeWeights(measured: readonly FileTimes[]): void {
  const weights = measured.map(
    ({ file, own, children }) => [file, Math.round(2 * (own + children)) / 2] as const,
  );
  const sorted = weights.toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(
    join(import.meta.dirname, "../../packages/testing/weights.json"),
    `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`,
  );
}
