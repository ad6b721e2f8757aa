import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * `npm run test:nightly [-- NAME…]`: everything at full size, one after the other, and one table at the end: what, at which
 * size, passed, failed, seed, seconds. Rows are also appended to nightly.tsv, so that a run that is cut off goes on.
 */
const runs: { name: string; command: string[]; env?: Record<string, string> }[] = [
  {
    name: "oracles",
    command: [
      "vitest",
      "run",
      "--project=tests",
      "--project=isolated",
      "oracle",
      "no-escape",
      "scopes",
      "undo",
      "budget",
    ],
  },
  {
    name: "attacks",
    command: [
      "vitest",
      "run",
      "--project=tests",
      "--project=isolated",
      "attacks",
      "hostile",
      "disclosure",
      "isolation",
    ],
  },
  {
    name: "kills",
    command: [
      "vitest",
      "run",
      "--project=tests",
      "--project=isolated",
      "killed",
      "embedding",
      "dead-connections",
      "health",
    ],
  },
  { name: "plants", command: ["vitest", "run", "--project=plants"] },
  { name: "screens", command: ["vitest", "run", "--project=e2e", "screens"] },
  { name: "benches", command: ["node", "tools/bench.ts", "all"], env: { BENCH_SIZE: "smoke" } },
];
const wanted = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "svc-nightly-"));
const table = [["run", "passed", "failed", "seconds", "SVC_SEED"]];
const seed = process.env.SVC_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
for (const { name, command, env } of runs.filter(
  ({ name }) => wanted.length === 0 || wanted.includes(name),
)) {
  const begun = performance.now();
  const out = join(folder, `${name}.json`);
  const reporters =
    command[0] === "vitest" ? ["--reporter=default", "--reporter=json", `--outputFile.json=${out}`] : [];
  const [program = "", ...args] = [...command, ...reporters];
  const { status } = spawnSync(program, args, {
    stdio: "inherit",
    env: { ...process.env, SVC_FAULTS: "full", SVC_SEED: seed, ...env },
  });
  const report = existsSync(out)
    ? (JSON.parse(readFileSync(out, "utf8")) as Record<string, number>)
    : undefined;
  const row = [
    name,
    String(report?.numPassedTests ?? (status === 0 ? 1 : 0)),
    String(report?.numFailedTests ?? (status === 0 ? 0 : 1)),
    ((performance.now() - begun) / 1_000).toFixed(0),
    seed,
  ];
  table.push(row);
  appendFileSync("nightly.tsv", `${new Date().toISOString()}\t${row.join("\t")}\n`);
  if (status !== 0) process.exitCode = 1;
}
console.log(table.map((row) => row.map((cell) => cell.padEnd(10)).join("")).join("\n"));
