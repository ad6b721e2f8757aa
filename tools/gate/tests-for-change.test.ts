import { expect, test } from "vitest";
import { testsForChange } from "./tests-for-change.ts";

test("a changed command leads to the test beside it, though nothing imports it", () => {
  const { beside } = testsForChange(["apps/backend/src/features/files/commands/copy.ts"]);
  expect(beside).toEqual(["apps/backend/src/features/files/commands/copy.test.ts"]);
});

test("a changed test is run itself", () => {
  const changed = "packages/rendering/src/wrap-text.test.ts";
  expect(testsForChange([changed]).beside).toEqual([changed]);
});

test("then tests in its room and tests that import it, the nearest first", () => {
  const { beside, related } = testsForChange(["packages/rendering/src/wrap-text.ts"]);
  expect(beside).toEqual(["packages/rendering/src/wrap-text.test.ts"]);
  const sameRoom = related.indexOf("packages/rendering/src/paint.test.ts");
  const far = related.indexOf("packages/command-router/src/help/help-text.test.ts");
  expect(sameRoom).toBeGreaterThanOrEqual(0);
  expect(far).toBeGreaterThan(sameRoom);
});

test("the rules of a feature, which its commands use, lead to the tests of those commands", () => {
  const { related } = testsForChange(["apps/backend/src/features/access/access-store.ts"]);
  expect(related[0]).toMatch(/^apps\/backend\/src\/features\/access\//);
});

test("nothing for files that no test imports", () => {
  expect(testsForChange(["README.md"])).toEqual({ beside: [], related: [] });
});
