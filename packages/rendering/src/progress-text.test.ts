import { expect, test } from "vitest";
import { progressText, waitingText } from "./progress-text.ts";

const sending = { label: "Sending", subject: "photos", total: 8_200_000, unit: "bytes" };
const at = (columns: number, millis = 2_000) => ({ columns, millis, from: 0 });

test("shows what, how far, how fast and for how long, in one line", () => {
  expect(progressText({ ...sending, done: 4_700_000 }, at(77))).toBe(
    "⠋ Sending  photos  ━━━━━━━━━━────────   57 %  4.7 of 8.2 MB  2.35 MB/s   0:02",
  );
  expect(progressText({ ...sending, done: 4_700_000 }, at(117))).toBe(
    "⠋ Sending  photos  ━━━━━━━━━━━━━━━━━━━━━━╸─────────────────   57 %  4.7 of 8.2 MB  2.35 MB/s   0:02",
  );
  expect(
    progressText({ label: "Storing", subject: "photos", done: 640, total: 2_000, unit: "files" }, at(77)),
  ).toBe("⠋ Storing  photos  ━━━━━━━───────────────   32 %    640 of 2,000 files   0:05");
});

test("always has the same width", () => {
  const widths = new Set<number>();
  for (let done = 0; done <= 8_200_000; done += 41_000) {
    for (const millis of [0, 500, 1_100, 60_000, 4_000_000]) {
      widths.add(progressText({ ...sending, done }, at(77, millis)).length);
    }
  }
  expect([...widths]).toEqual([77]);
});

test("no speed is wider than another", () => {
  const width = (done: number) => progressText({ ...sending, done, total: 1e12 }, at(117, 1_000)).length;
  for (const unit of [1e3, 1e6, 1e9]) {
    for (const speed of [9.994, 9.996, 99.94, 99.96, 999.4, 999.6]) {
      expect(width(speed * unit), `${speed} of ${unit}`).toBe(width(5e6));
    }
  }
});

test("moves while nothing else does", () => {
  const lines = Array.from({ length: 10 }, (_, index) =>
    progressText({ ...sending, done: 8_200_000 }, at(77, 5_000 + index * 100)),
  );
  expect(new Set(lines.map((line) => line[0])).size).toBe(10);
});

test.for<[string, object, string]>([
  ["more than there should be", { done: 9_000_000 }, "100 %"],
  ["an hour and more", { done: 4_000, from: 0 }, "1h08"],
  ["a long time", { done: 1 }, "-:--"],
  ["no total", { done: 4_700_000, total: undefined }, "photos  4.70 MB  2.35 MB/s"],
  ["an empty file", { done: 0, total: 0 }, "photos  0 B"],
])("%s", ([, step, text]) => {
  expect(progressText({ ...sending, done: 0, ...step }, at(77))).toContain(text);
});

test("a long or wide name is cut, and a narrow terminal has no bar", () => {
  const named = (subject: string, columns: number) =>
    progressText({ ...sending, subject, done: 1 }, at(columns));
  expect(named("x".repeat(300), 77)).toContain(`  ${"x".repeat(16)}  `);
  expect(named("写真".repeat(100), 77)).toContain(`  ${"写真".repeat(4)}  `);
  expect(named("\u001b[2Jx", 77)).toContain("\\u{1b}[2Jx");
  expect(named("photos", 60)).not.toMatch(/[━─]/);
});

test("a wait is counted down to zero", () => {
  expect(waitingText("example.com is busy.", 11_100, 0)).toBe("⠋ Waiting   12 s  example.com is busy.");
  expect(waitingText("example.com is busy.", -500, 100)).toBe("⠙ Waiting    0 s  example.com is busy.");
});
