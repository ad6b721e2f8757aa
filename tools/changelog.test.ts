import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(resolve(import.meta.dirname, "..", path), "utf8");

test("the changelog begins with what is unreleased, then the version of package.json, newest first", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const headings = [...read("CHANGELOG.md").matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
  const [first, second, ...older] = headings;
  expect(first).toBe("Unreleased");
  expect(second).toMatch(new RegExp(`^${RegExp.escape(version)} - \\d{4}-\\d\\d-\\d\\d$`));
  for (const heading of older) expect(heading).toMatch(/^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/);
});
