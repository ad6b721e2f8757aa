import { expect, test } from "vitest";
import { select } from "./select.ts";

const base = { commit: "HEAD", name: "a test" };
const previousVersion = "apps/backend/tests/previous-version/previous-version.e2e.test.ts";

test("without a base everything runs", () => {
  const { excluded, plants, runs, leftOut } = select(undefined);
  expect({ excluded, plants, leftOut }).toEqual({ excluded: [], plants: ["*"], leftOut: [] });
  expect(runs.map(({ name }) => name)).toEqual(expect.arrayContaining(["put", "evaluate typos"]));
});

test("tests that belong to a place run only if it changed, or they themselves", () => {
  expect(select(base, ["README.md"]).excluded).toContain(previousVersion);
  expect(select(base, ["packages/database/migrations/0099-more.sql"]).excluded).not.toContain(
    previousVersion,
  );
  expect(select(base, [previousVersion]).excluded).not.toContain(previousVersion);
});

test("says what is left out, and why", () => {
  const { leftOut } = select(base, ["README.md"]);
  expect(leftOut).toContainEqual(
    expect.stringMatching(/^previous version: nothing changed in packages\/database/),
  );
  expect(leftOut).toContainEqual(
    expect.stringMatching(/^\d+ benches and evaluations: nothing that they import changed$/),
  );
});

test("a bench runs if something that it imports changed, also through others", () => {
  const names = (file: string) => select(base, [file]).runs.map(({ name }) => name);
  expect(names("tools/benches/files/put.ts")).toEqual(["put"]);
  expect(names("packages/search/src/query/parse-query.ts")).toContain("fulltext");
  expect(names("packages/search/src/query/parse-query.ts")).not.toContain("put");
});

test("plants run for a changed test, a changed migration, and not for a guard that is as it was", () => {
  const migration = "packages/database/migrations/0001-directory.sql";
  const guarded = "apps/backend/src/features/files/commands/delete.ts";
  expect(select(base, ["a.test.ts", migration, guarded]).plants).toEqual(["0001-directory.sql", "a.test.ts"]);
});
