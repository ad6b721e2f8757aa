import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "..");

/** Between two words: spaces, or a line break and what begins the next line of a comment. */
const gap = String.raw`[\s/*#|-]+`;
const stilted = [
  "(?:for|to|of|by) who",
  "(?:he|his|him)",
  "of its own",
  "(?<!there )is no (?!longer)[a-z]+",
  "index again",
  "is there already",
].map((words) => new RegExp(String.raw`\b${words.replaceAll(" ", gap)}\b`, "gi"));

const excepted = [
  // The patterns themselves.
  "tools/plain-english.test.ts",
  // Applied migrations must not change, not even in a comment: the runner compares their digests.
  "packages/database/migrations/**",
  // Documents of the sample company: people write letters and reports there.
  "packages/sample-company/src/documents/**",
];

test.each([
  "never by who may not see it",
  "which entry lets him",
  "a PostgreSQL of its own",
  "a list of\n// its own",
  "A group is no account",
  "the batch of indexing; then index again",
  "The root is there already",
])("finds %j", (text) => {
  expect(findStilted(text)).toHaveLength(1);
});

test.each([
  "never by anyone without access",
  "to whom it was granted",
  "its own PostgreSQL",
  "There is no such file",
  "there\n * is no such file",
  "It is no longer shared",
  "The root already exists",
])("accepts %j", (text) => {
  expect(findStilted(text)).toEqual([]);
});

test("everything people read is in plain English", () => {
  const files = globSync(["*.{md,sh}", "{apps,docs,packages,tools}/**/*.{md,sh,sql,ts}"], {
    cwd: repository,
    exclude: ["**/node_modules/**", ...excepted],
  });
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) =>
    findStilted(readFileSync(resolve(repository, file), "utf8")).map(
      ({ line, sentence }) => `${file}:${line}: ${sentence}`,
    ),
  );
  expect(found).toEqual([]);
});

function findStilted(text: string): { line: number; sentence: string }[] {
  return stilted.flatMap((pattern) =>
    text
      .matchAll(pattern)
      .map(({ index, 0: words }) => {
        const start = text.lastIndexOf("\n", index) + 1;
        const end = text.indexOf("\n", index + words.length);
        const sentence = text.slice(start, end < 0 ? undefined : end).trim();
        return { line: text.slice(0, start).split("\n").length, sentence };
      })
      .toArray(),
  );
}
