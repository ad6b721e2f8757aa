import { resolve } from "node:path";
import { expect, test } from "vitest";
import { findTests } from "./nightly/find-parts.ts";
import { findOverdue, findQuarantined, readQuarantine } from "./nightly/quarantine.ts";
import { findTaggedTests } from "./nightly/tagged-tests.ts";

const repository = resolve(import.meta.dirname, "..");

function quarantinedIn(content: string) {
  return findTaggedTests("a.test.ts", content, ["quarantine"]).map(readQuarantine);
}

const since = new Date("2026-11-19");

test("the comment above a test says since when, and why", () => {
  const content = `
    import { test } from "vitest";

    // What it shows.
    // quarantine 2026-11-19: fails when autovacuum comes in between
    test(
      "counts",
      { tags: ["long", "quarantine"] },
      () => {},
    );
    // quarantine 2026-11-20: a case
    test.for([1, 2])("%i", { tags: ["quarantine"] }, () => {});`;
  expect(quarantinedIn(content)).toEqual([
    { place: "a.test.ts:6", since, reason: "fails when autovacuum comes in between" },
    { place: "a.test.ts:12", since: new Date("2026-11-20"), reason: "a case" },
  ]);
});

test.for([
  ["no comment", ""],
  ["no day", "// quarantine: fails"],
  ["a day that does not exist", "// quarantine 2026-02-30: fails"],
  ["no reason", "// quarantine 2026-11-19:"],
])("finds a test with %s", ([, comment]) => {
  const [found] = quarantinedIn(`${comment}\ntest("a", { tags: ["quarantine"] }, f);`);
  expect(found?.since).toBeUndefined();
});

test("after 14 days a test is overdue", () => {
  const quarantined = [{ place: "a", since, reason: "fails" }];
  expect(findOverdue(quarantined, new Date("2026-12-03T23:59:59Z"))).toEqual([]);
  expect(findOverdue(quarantined, new Date("2026-12-04T00:00:00Z"))).toEqual(quarantined);
});

test("at most three tests are in quarantine, each with its day and its reason", () => {
  const quarantined = findQuarantined(repository, findTests(repository));
  expect(quarantined.filter(({ since: day }) => day === undefined)).toEqual([]);
  expect(quarantined.length, quarantined.map(({ place }) => place).join("\n")).toBeLessThanOrEqual(3);
});
