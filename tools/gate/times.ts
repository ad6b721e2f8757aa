import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileTimes, slowestFiles } from "./file-times.ts";

/**
 * `npm run test:times [-- PATH…]` runs the tests of the gate, or these, and prints the files that take most processor
 * time. With `--write` the gate starts files in this order from now on.
 */
const words = process.argv.slice(2);
const isWriting = words.includes("--write");
const folder = mkdtempSync(join(tmpdir(), "svc-times-"));
const file = join(folder, "times.jsonl");
const reporters = ["--reporter=dot", "--reporter=./tools/gate/times-reporter.ts"];
const options = [
  "--project=tests",
  "--project=isolated",
  "--project=e2e",
  "--tagsFilter=!nightly && !quarantine",
];
const { status } = spawnSync(
  "vitest",
  ["run", ...options, ...reporters, ...words.filter((word) => word !== "--write")],
  {
    stdio: "inherit",
    env: { ...process.env, SVC_TIMES: file },
  },
);
const times = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as FileTimes);
rmSync(folder, { recursive: true });
console.log(slowestFiles(times));
if (isWriting) writeWeights();
process.exitCode = status ?? 1;

/** Half seconds: small differences between two machines change nothing. */
function writeWeights(): void {
  const weights = times.map(
    ({ file, own, children }) => [file, Math.round(2 * (own + children)) / 2] as const,
  );
  const heavy = weights.filter(([, seconds]) => seconds > 0).toSorted(([a], [b]) => a.localeCompare(b));
  writeFileSync(
    join(import.meta.dirname, "../../packages/testing/weights.json"),
    `${JSON.stringify(Object.fromEntries(heavy), null, 2)}\n`,
  );
}
