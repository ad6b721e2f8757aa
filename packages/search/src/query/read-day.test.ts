import { expect, test } from "vitest";
import { readDay, yearStarts } from "./read-day.ts";

const now = new Date("2026-03-31T00:30:00Z");
const shown = (text: string, timeZone: string) => readDay(text, { now, timeZone })?.toISOString();

test.for([
  ["2026-03-26", "UTC", "2026-03-26T00:00:00.000Z"],
  ["2026-3-6", "UTC", "2026-03-06T00:00:00.000Z"],
  ["2026-03", "UTC", "2026-03-01T00:00:00.000Z"],
  ["2026", "UTC", "2026-01-01T00:00:00.000Z"],
  ["2026", "Europe/Berlin", "2025-12-31T23:00:00.000Z"],
  // Clocks changed on the 29th.
  ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00.000Z"],
  ["2026-03-30", "Europe/Berlin", "2026-03-29T22:00:00.000Z"],
  ["2026-03-30", "America/New_York", "2026-03-30T04:00:00.000Z"],
  // Santiago has no midnight on this day.
  ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00.000Z"],
  ["today", "UTC", "2026-03-31T00:00:00.000Z"],
  ["Yesterday", "UTC", "2026-03-30T00:00:00.000Z"],
  ["yesterday", "America/New_York", "2026-03-29T04:00:00.000Z"],
  ["7d", "UTC", "2026-03-24T00:30:00.000Z"],
  ["2w", "UTC", "2026-03-17T00:30:00.000Z"],
  // February has no 31st.
  ["1m", "UTC", "2026-02-28T00:00:00.000Z"],
  ["1y", "UTC", "2025-03-31T00:00:00.000Z"],
  ["0050", "UTC", "0050-01-01T00:00:00.000Z"],
] as const)("%s in %s begins at %s", ([text, timeZone, expected]) => {
  expect(shown(text, timeZone)).toBe(expected);
});

test.for(["soon", "2026-13", "2026-02-30", "26", "0000", "9999y", "7", "7x", "2026-03-26T10:00", ""])(
  "%s does not name a day",
  (text) => {
    expect(shown(text, "UTC")).toBeUndefined();
  },
);

test("years begin where after: says", () => {
  const clock = { now: new Date("2026-12-31T23:30:00Z"), timeZone: "Europe/Berlin" };
  const years = yearStarts(1970, clock);
  expect(years.map(({ year }) => year)).toEqual(Array.from({ length: 59 }, (_, index) => 1970 + index));
  for (const { year, from } of years) expect(readDay(String(year), clock)).toEqual(from);
});
