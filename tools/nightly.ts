import { execFileSync, spawnSync } from "node:child_process";
import { createHash, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { withExclusiveLock } from "./local-server/exclusive-lock.ts";
import { endMarked } from "./nightly/end-marked.ts";
import { findParts, findTests, type Part } from "./nightly/find-parts.ts";
import { NightLog, type PartRow } from "./nightly/night-log.ts";
import { nightTable } from "./nightly/night-table.ts";
import { findOverdue, findQuarantined } from "./nightly/quarantine.ts";
import { type Circumstances, type Outcome, outputOf, runPart } from "./nightly/run-part.ts";

/**
 * `npm run test:nightly` runs every part at full size, one after the other, and prints one table; what was cut off goes on.
 * `npm run test:nightly -- NAME…` runs some parts, `--list` prints their names as JSON.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean", default: false } },
});
const repository = resolve(import.meta.dirname, "..");
const folder = join(repository, ".dev/nightly");
/** Much longer than any part takes: only one that hangs is ended. */
const limitMillis = 6 * 3_600_000;
const parts = findParts(repository);
const names = parts.map(({ name }) => name);
const unknown = positionals.filter((name) => !parts.some((part) => isNamed(part, name)));

if (values.list) {
  console.log(JSON.stringify(names));
} else if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(", ")}. There are: ${names.join(", ")}.`);
  process.exitCode = 2;
} else {
  const wanted = parts.filter(
    (part) => positionals.length === 0 || positionals.some((name) => isNamed(part, name)),
  );
  const isPassed = await withExclusiveLock(join(folder, "lock"), () => runNight(wanted));
  process.exitCode = isPassed ? 0 : 1;
}

/** `plants` is `plants/rights` and all others. */
function isNamed(part: Part, name: string): boolean {
  return part.name === name || part.name.startsWith(`${name}/`);
}

async function runNight(wanted: readonly Part[]): Promise<boolean> {
  const log = new NightLog(join(folder, "nights.jsonl"));
  const night = log.openNight(
    { commit: currentVersion(), parts: wanted.map(({ name }) => name), seed: process.env.SVC_SEED },
    new Date(),
    () => String(randomInt(2 ** 31)),
  );
  const { seed, commit } = night;
  const circumstances = { repository, folder, night: night.night, seed, limitMillis };
  endMarked(night.night);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      endMarked(night.night);
      process.exit(1);
    });
  }
  const ended = new Set(log.rowsOf(night).map(({ part }) => part));
  const resumed = ended.size === 0 ? "" : `, of which ${ended.size} ended before it was cut off`;
  console.log(`Night ${night.night} of ${commit}, SVC_SEED=${seed}, parts: ${wanted.length}${resumed}.`);
  const { status } = spawnSync(process.execPath, ["tools/database.ts", "up"], {
    cwd: repository,
    stdio: "inherit",
  });
  if (status !== 0) return false;
  for (const part of wanted.filter(({ name }) => !ended.has(name))) {
    const row = await runRow(part, circumstances, commit);
    log.addRow(row);
    tell(row, outputOf(part, circumstances));
  }
  const rows = log.rowsOf(night);
  console.log(`\n${nightTable(rows, (row) => log.rowBefore(row))}`);
  return rows.every(({ failed }) => failed === 0);
}

async function runRow(part: Part, circumstances: Circumstances, commit: string): Promise<PartRow> {
  const { night, seed } = circumstances;
  const begun = performance.now();
  console.log(`::: ${part.name}`);
  const outcome = part.name === "quarantine" ? judgeQuarantine(part) : await runPart(part, circumstances);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  const { name, size } = part;
  return { night, commit, seed, part: name, size, seconds, ended: new Date().toISOString(), ...outcome };
}

function judgeQuarantine({ again }: Part): Outcome {
  const quarantined = findQuarantined(repository, findTests(repository));
  const overdue = findOverdue(quarantined, new Date());
  const lines = overdue.map(({ place, reason }) => `${place} has been in quarantine for too long: ${reason}`);
  if (lines.length > 0) console.log(lines.join("\n"));
  const failures = overdue.map(() => again);
  return { passed: quarantined.length - overdue.length, failed: overdue.length, failures, figures: [] };
}

function tell({ passed, failed, seconds, part }: PartRow, output: string): void {
  console.log(
    `${failed === 0 ? "ok    " : "FAILED"} ${part}: ${passed} passed, ${failed} failed, ${seconds} s`,
  );
  if (failed === 0 || part === "quarantine") return;
  console.log(`${readFileSync(output, "utf8").split("\n").slice(-60).join("\n")}\nAll of it: ${output}`);
}

/** Changes that are not committed count: what ran before them is not repeated by what runs after them. */
function currentVersion(): string {
  const git = (...words: string[]) =>
    execFileSync("git", words, { cwd: repository, encoding: "utf8", maxBuffer: 2 ** 30 });
  const commit = git("rev-parse", "--short", "HEAD").trim();
  const changes = git("diff", "HEAD") + git("ls-files", "--others", "--exclude-standard");
  return changes === ""
    ? commit
    : `${commit}+${createHash("sha256").update(changes).digest("hex").slice(0, 8)}`;
}
