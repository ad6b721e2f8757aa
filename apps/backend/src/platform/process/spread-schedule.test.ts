import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextRun } from "./cron.ts";
import { nextSpreadRun } from "./spread-schedule.ts";

const minute = 60_000;
const windowMillis = 9 * minute;
const weekly = "0 3 * * 0";
const tuesday = new Date("2026-11-17T12:00:00Z");
const sunday = nextRun(weekly, tuesday).getTime();

/** As PostgreSQL makes them: the time first, so that ids of one morning begin alike. The rest is the same each time. */
function uuidv7(millis: number, index: number): string {
  const rest = createHash("sha256").update(`tenant ${index}`).digest("hex");
  const hex = millis.toString(16).padStart(12, "0") + rest;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

describe("many tenants of one schedule", () => {
  const kinds: Record<string, (index: number) => string> = {
    "created in one second": (index) => uuidv7(tuesday.getTime() + (index % 1_000), index),
    "created over a year": (index) => uuidv7(tuesday.getTime() - index * 350 * minute, index),
    "with ids that count": (index) => `00000000-0000-0000-0000-${String(index).padStart(12, "0")}`,
  };
  test.for(Object.entries(kinds))("%s start within ten minutes, at most 15 percent in any", ([, idOf]) => {
    const starts = Array.from({ length: 1_500 }, (_, index) => {
      const at = nextSpreadRun(weekly, { tenantId: idOf(index), windowMillis }, tuesday);
      return (at.getTime() - sunday) / minute;
    });
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...starts)).toBeLessThan(10);
    expect(mostInAnyMinute(starts) / starts.length).toBeLessThanOrEqual(0.15);
  });
});

/** Not only in those that begin with the clock's. */
function mostInAnyMinute(starts: readonly number[]): number {
  const sorted = starts.toSorted((one, other) => one - other);
  let [first, most] = [0, 0];
  for (const [index, start] of sorted.entries()) {
    while (start - (sorted[first] ?? 0) >= 1) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

test("a tenant keeps its distance from any schedule, so no run is lost or doubled", () => {
  const cron = fc.constantFrom(weekly, "*/5 * * * *", "30 1 1 * *", "15 0 * * 1-5", "59 23 31 12 *");
  const after = fc.date({ min: new Date("2026-01-01"), max: new Date("2030-01-01"), noInvalidDate: true });
  const window = fc.integer({ min: 0, max: 1_440 * minute });
  const property = fc.property(cron, fc.uuid(), after, window, (schedule, tenantId, start, most) => {
    const tenant = { tenantId, windowMillis: most };
    const distance = nextSpreadRun(weekly, tenant, tuesday).getTime() - sunday;
    expect(distance).toBeGreaterThanOrEqual(0);
    expect(distance).toBeLessThanOrEqual(most);
    let plain = new Date(start.getTime() - distance);
    let spread = start;
    for (let times = 0; times < 4; times += 1) {
      plain = nextRun(schedule, plain);
      spread = nextSpreadRun(schedule, tenant, spread);
      expect(spread.getTime() - plain.getTime()).toBe(distance);
    }
  });
  fc.assert(property, { numRuns: 200 });
});
