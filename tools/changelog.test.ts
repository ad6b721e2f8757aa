import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(resolve(import.meta.dirname, "..", path), "utf8");

test("the changelog begins with what is unreleased, then the version of package.json, newest first", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const headings = [...read("CHANGELOG.md").matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
  const [first, second, ...older] = headings;
  expect(first).toBe("Unreleased");
  expect(second?.startsWith(`${version} - `), second).toBe(true);
  for (const heading of [second, ...older]) expect(heading).toMatch(/^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/);
});
