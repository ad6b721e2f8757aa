import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const folder = resolve(import.meta.dirname, "../docs/adr");

test("docs/adr/README.md lists every decision once, in order", () => {
  const index = readFileSync(resolve(folder, "README.md"), "utf8");
  const listed = [...index.matchAll(/^\| \[(\d+)\]\((\S+)\) \| .+ \| .+ \|$/gm)];
  const decisions = globSync("[0-9]*.md", { cwd: folder }).sort();
  expect(listed.map(([, , file]) => file)).toEqual(decisions);
  expect(listed.map(([, number]) => Number(number))).toEqual(
    decisions.map((file) => Number.parseInt(file, 10)),
  );
});
