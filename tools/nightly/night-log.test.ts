import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type Night, NightLog } from "./night-log.ts";

let file: string;
let log: NightLog;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "svc-night-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  file = join(folder, "nested/nights.jsonl");
  log = new NightLog(file);
});

const evening = new Date("2026-11-19T22:00:00Z");
const later = new Date("2026-11-20T04:00:00Z");
const wanted = { commit: "b73406f9", parts: ["agents", "rights"], seed: undefined };

function row(night: Night, part: string, ended = later) {
  const { night: name, commit, seed } = night;
  const outcome = { passed: 1, failed: 0, failures: [], figures: [] };
  return {
    night: name,
    commit,
    seed,
    part,
    size: "1 file",
    seconds: 1,
    ended: ended.toISOString(),
    ...outcome,
  };
}

test("a night that was cut off goes on with its seed, and knows what ended", () => {
  const night = log.openNight(wanted, evening, () => "1");
  log.addRow(row(night, "agents"));
  expect(log.openNight(wanted, later, () => "2")).toEqual(night);
  expect(log.rowsOf(night).map(({ part }) => part)).toEqual(["agents"]);
});

test("a night that was cut off in its first part keeps its seed", () => {
  expect(log.openNight(wanted, evening, () => "1").seed).toBe("1");
  expect(log.openNight(wanted, later, () => "2").seed).toBe("1");
});

test("a night of some parts does not end one of all", () => {
  const night = log.openNight(wanted, evening, () => "1");
  const ofOne = log.openNight({ ...wanted, parts: ["agents"] }, later, () => "2");
  expect(ofOne).toMatchObject({ seed: "2", parts: ["agents"] });
  expect(log.openNight(wanted, later, () => "3")).toEqual(night);
});

test("a night whose parts have all ended is followed by a new one with a new seed", () => {
  const night = log.openNight(wanted, evening, () => "1");
  for (const part of wanted.parts) log.addRow(row(night, part));
  const next = log.openNight(wanted, later, () => "2");
  expect(next.seed).toBe("2");
  expect(log.rowsOf(next)).toEqual([]);
});

test.for([
  ["the same seed", { seed: "1" }, later, "1"],
  ["another seed", { seed: "7" }, later, "7"],
  ["another commit", { commit: "e717fc8c" }, later, "2"],
  ["the next day but one", {}, new Date("2026-11-21T04:00:00Z"), "2"],
] as const)("what was cut off goes on or begins anew: %s", ([, changed, now, seed]) => {
  const night = log.openNight(wanted, evening, () => "1");
  log.addRow(row(night, "agents"));
  const opened = log.openNight({ ...wanted, ...changed }, now, () => "2");
  expect(opened.seed).toBe(seed);
  expect(opened.night === night.night).toBe(seed === "1");
});

test("a row that a kill cut off was never written, wherever the cut was", () => {
  const night = log.openNight(wanted, evening, () => "1");
  log.addRow(row(night, "agents"));
  const whole = readFileSync(file, "utf8");
  const torn = JSON.stringify(row(night, "rights"));
  for (const length of [1, 20, torn.length]) {
    writeFileSync(file, whole);
    appendFileSync(file, torn.slice(0, length));
    expect(log.rowsOf(night).map(({ part }) => part)).toEqual(["agents"]);
    log.addRow(row(night, "rights"));
    expect(readFileSync(file, "utf8")).toBe(`${whole}${torn}\n`);
  }
});

test("finds the row of the night before", () => {
  const night = log.openNight(wanted, evening, () => "1");
  const first = row(night, "agents");
  for (const part of wanted.parts) log.addRow(row(night, part));
  const next = row(
    log.openNight(wanted, later, () => "2"),
    "agents",
  );
  log.addRow(next);
  expect(log.rowBefore(next)).toEqual(first);
  expect(log.rowBefore(first)).toBeUndefined();
});
