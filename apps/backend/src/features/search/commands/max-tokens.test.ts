import { estimateTokens } from "@svc/unicode/estimate-tokens";
import { expect } from "vitest";
import type { FilesTown } from "../../../../testing/files-test.ts";
import { test } from "../../../../testing/search-test.ts";

interface Page {
  items: { title: string }[];
  nextCursor?: string;
  leftOut?: number;
}

async function search(town: FilesTown, ...more: string[]): Promise<Page> {
  return town.run(["search", "query", "harbour", ...more]);
}

const titlesOf = ({ items }: Page) => items.map(({ title }) => title);

test("pages that fit into a budget show every hit once, in the order of the search", async ({ town }) => {
  for (let index = 0; index < 12; index += 1) {
    await town.put(`/${index}.txt`, `harbour ${index} ${"quay and crane ".repeat(index)}`);
  }
  const everything = titlesOf(await search(town));
  expect(everything).toHaveLength(12);
  for (const sort of ["relevance", "name"]) {
    const inOrder = titlesOf(await search(town, "--sort", sort));
    const found: string[] = [];
    // A budget is not a part of the question: each page may have another.
    for (let page: Page | undefined, round = 0; round === 0 || page?.nextCursor; round += 1) {
      const budget = 2_000 + 500 * round;
      page = await search(
        town,
        ...["--sort", sort, "--passages", "1", "--limit", "8", "--max-tokens", `${budget}`],
        ...(page?.nextCursor === undefined ? [] : ["--cursor", page.nextCursor]),
      );
      expect(page.items.length).toBeGreaterThan(0);
      expect(estimateTokens(JSON.stringify(page, null, 2))).toBeLessThanOrEqual(budget);
      const rest = Math.min(8, 12 - found.length);
      expect(page.items.length + (page.leftOut ?? 0)).toBe(rest);
      found.push(...titlesOf(page));
    }
    expect(found).toEqual(inOrder);
  }
});

test("a budget for which the first hit is too long leaves all out, and says so", async ({ town }) => {
  await town.put("/a.txt", "harbour");
  expect(await search(town, "--max-tokens", "20")).toMatchObject({
    items: [],
    leftOut: 1,
    total: { value: 1 },
  });
  const { body } = await town.backend.type(town.owner, "search query harbour --max-tokens 20", {
    request: { want: "text" },
  });
  expect(body.text).toContain("1 of this page left out");
  expect(await search(town, "--max-tokens", "5000")).not.toHaveProperty("leftOut");
});
