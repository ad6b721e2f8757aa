import { expect, test } from "vitest";
import { endOfMonth, monthOf } from "./month.ts";

test.each([
  ["2026-11-30T23:59:59.999Z", "2026-11-01", "2026-12-01T00:00:00.000Z"],
  ["2026-12-01T00:00:00.000Z", "2026-12-01", "2027-01-01T00:00:00.000Z"],
  ["2028-02-29T12:00:00.000Z", "2028-02-01", "2028-03-01T00:00:00.000Z"],
])("%s is in the month of %s, which ends at %s", (now, month, end) => {
  expect(monthOf(new Date(now))).toBe(month);
  expect(endOfMonth(month).toISOString()).toBe(end);
});
