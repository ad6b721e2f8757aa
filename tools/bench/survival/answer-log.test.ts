import { expect, test } from "vitest";
import { type Answer, AnswerLog } from "./answer-log.ts";

function logOf(...answers: (Partial<Answer> & { answeredAt: number })[]): AnswerLog {
  const log = new AnswerLog();
  for (const answer of answers) {
    log.add({ kind: "write", sentAt: answer.answeredAt - 1, status: 200, hasRetryAfter: false, ...answer });
  }
  return log;
}

test("the outage begins with the event, not with the last write before it", () => {
  const log = logOf({ answeredAt: 1_000 }, { answeredAt: 25_000 }, { answeredAt: 26_000 });
  expect(log.longestSecondsWithoutWrite(4_000, 26_000)).toBe(21);
});

test("a write that was on its way when the primary died does not end the outage", () => {
  const log = logOf({ answeredAt: 4_010 }, { answeredAt: 25_000 });
  expect(log.longestSecondsWithoutWrite(4_000, 26_000)).toBeCloseTo(20.99);
});

test("an outage that has not ended counts until now", () => {
  expect(logOf({ answeredAt: 1_000 }).longestSecondsWithoutWrite(4_000, 64_000)).toBe(60);
});

test("neither refusals nor reads end an outage of writes", () => {
  const log = logOf(
    { answeredAt: 5_000, status: 503 },
    { answeredAt: 6_000, kind: "read" },
    { answeredAt: 9_000 },
  );
  expect(log.longestSecondsWithoutWrite(4_000, 9_000)).toBe(5);
});

test("the first 503 is counted from the event", () => {
  const log = logOf(
    { answeredAt: 3_000, status: 503 },
    { answeredAt: 9_500, status: 503 },
    { answeredAt: 9_600 },
  );
  expect(log.secondsToFirst503(4_000)).toBe(5.5);
  expect(log.secondsToFirst503(9_600)).toBe(0);
});
