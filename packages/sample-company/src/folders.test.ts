import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { collections } from "./collections.ts";
import { folders } from "./folders.ts";

const files = folders().flatMap(({ workspace, name, files: below }) =>
  below.map(({ path, content }) => ({ path: `${workspace}/${name}/${path}`, content })),
);

test("has a few hundred files of every format that we read, each with its own path", () => {
  expect(files.length).toBeGreaterThan(300);
  expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
  const formats = new Set(files.map(({ path }) => path.slice(path.lastIndexOf(".") + 1)));
  expect([...formats].sort()).toEqual(
    "csv docx eml html json md odp ods odt pdf pptx py rtf sql ts txt xlsx".split(" "),
  );
});

test("says the same every time, and nothing twice", () => {
  const digest = (content: Buffer) => createHash("sha256").update(content).digest("hex");
  const again = folders().flatMap((folder) => folder.files.map(({ content }) => digest(content)));
  expect(again).toEqual(files.map(({ content }) => digest(content)));
  expect(new Set(again).size).toBe(again.length);
});

test("has four collections whose links lead to existing titles", () => {
  expect(collections.map(({ slug }) => slug)).toEqual(["customers", "orders", "仕入先", "incidents"]);
  for (const { link, rows } of collections) {
    expect(rows().length).toBeGreaterThanOrEqual(40);
    if (!link) continue;
    const target = collections.find(({ slug }) => slug === link.collection)?.rows() ?? [];
    const titles = new Set(target.map((row) => Object.values(row)[0]));
    for (const row of rows()) expect(titles).toContain(row[link.field]);
  }
});
