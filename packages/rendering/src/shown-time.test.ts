import { expect, test } from "vitest";
import { exactTime, localTime, timeZoneNamed } from "./shown-time.ts";

const at = (now: string, timeZone: string) => ({ now: new Date(now), timeZone });

test.each([
  ["2026-11-14T08:12:00Z", "2026-11-14T20:00:00Z", "Europe/Berlin", "today 09:12"],
  ["2026-11-14T08:12:00Z", "2026-11-15T20:00:00Z", "Europe/Berlin", "14 Nov 09:12"],
  ["2026-11-14T23:30:00Z", "2026-11-15T20:00:00Z", "Europe/Berlin", "today 00:30"],
  ["2026-11-14T23:30:00Z", "2026-11-15T20:00:00Z", "Asia/Tokyo", "15 Nov 08:30"],
  ["2026-11-14T23:30:00Z", "2026-11-14T23:59:00Z", "UTC", "today 23:30"],
  ["2026-11-14T02:29:00Z", "2026-11-16T02:29:00Z", "America/St_Johns", "13 Nov 22:59"],
  ["2025-06-09T12:00:00Z", "2026-11-14T12:00:00Z", "UTC", "2025-06-09"],
  ["2025-06-09T22:30:00Z", "2026-11-14T12:00:00Z", "Europe/Berlin", "2025-06-10"],
  // The clocks go back in Berlin at 01:00 UTC: the same local minute twice.
  ["2026-10-25T00:30:00Z", "2026-11-01T00:00:00Z", "Europe/Berlin", "25 Oct 02:30"],
  ["2026-10-25T01:30:00Z", "2026-11-01T00:00:00Z", "Europe/Berlin", "25 Oct 02:30"],
  // And forward: 02:30 does not exist.
  ["2026-03-29T00:59:00Z", "2026-04-01T00:00:00Z", "Europe/Berlin", "29 Mar 01:59"],
  ["2026-03-29T01:00:00Z", "2026-04-01T00:00:00Z", "Europe/Berlin", "29 Mar 03:00"],
])("%s, seen at %s in %s, is %s", (time, now, timeZone, text) => {
  expect(localTime(new Date(time), at(now, timeZone))).toBe(text);
});

test("tells the two minutes of a clock change apart where it is exact", () => {
  expect(exactTime(new Date("2026-10-25T00:30:07Z"), { timeZone: "Europe/Berlin" })).toBe(
    "2026-10-25 02:30:07 +02:00",
  );
  expect(exactTime(new Date("2026-10-25T01:30:07Z"), { timeZone: "Europe/Berlin" })).toBe(
    "2026-10-25 02:30:07 +01:00",
  );
  expect(exactTime(new Date("2026-10-25T01:30:07Z"), { timeZone: "UTC" })).toBe("2026-10-25 01:30:07 +00:00");
  expect(exactTime(new Date("2026-07-01T00:00:00Z"), { timeZone: "America/St_Johns" })).toBe(
    "2026-06-30 21:30:00 -02:30",
  );
});

test("knows which names are zones, by their own names", () => {
  expect(["Europe/Berlin", "EUROPE/berlin", "UTC", "Etc/GMT+5"].map(timeZoneNamed)).toEqual([
    "Europe/Berlin",
    "Europe/Berlin",
    "UTC",
    "Etc/GMT+5",
  ]);
  const none = ["", "Mars/Base", "../../etc", "x".repeat(64), "+05:30", "-01:23"];
  expect(none.map(timeZoneNamed)).toEqual(none.map(() => undefined));
});

test.each([
  "UTC",
  "Europe/Berlin",
  "Asia/Tokyo",
  "America/St_Johns",
  "Africa/Casablanca",
  "Pacific/Apia",
  "Asia/Kathmandu",
])(
  "says in %s what the platform says, at every quarter of an hour around every change of clocks",
  (timeZone) => {
    const two = "2-digit";
    const platform = new Intl.DateTimeFormat("sv-SE", {
      timeZone,
      year: "numeric",
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two,
    });
    const quarter = 15 * 60_000;
    const offsetAt = (time: number) => exactTime(new Date(time), { timeZone }).slice(20);
    let compared = 0;
    for (let day = Date.UTC(2009, 0, 1); day < Date.UTC(2030, 0, 1); day += 86_400_000) {
      const isChange = platform.format(day).slice(11) !== platform.format(day + 86_400_000).slice(11);
      const step = isChange ? quarter : 86_400_000;
      for (let time = day; time < day + 86_400_000; time += step) {
        expect(`${platform.format(time)} ${offsetAt(time)}`).toBe(exactTime(new Date(time), { timeZone }));
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(7_000);
  },
);
