import { expect } from "vitest";
import { ask, type TestAnswer, test } from "../../../../../testing/search-test.ts";

const filler = (text: string, times = 400) => text.repeat(times);

function snippetOf({ hits }: TestAnswer): string {
  return hits[0]?.snippet?.map(({ text, match }) => (match ? `[${text}]` : text)).join("") ?? "";
}

test.for([
  ["companies", filler("A field of wheat. "), "the company was sold", "the [company] was sold"],
  ["study", filler("A field of wheat. "), "earlier studies show", "earlier [studies] show"],
  ["make", filler("A field of wheat. "), "we are making bread", "we are [making] bread"],
  ["wie sind die Häuser", filler("Und das ist nicht die Stadt. "), "ein Haus am See", "ein [Haus] am See"],
  ["haus", filler("Und das ist nicht die Stadt. "), "die HÄUSER am See", "die [HÄUSER] am See"],
  ["Strasse", filler("Und das ist nicht die Stadt. "), "eine Straße am See", "eine [Straße] am See"],
  ["مدرسة", filler("كلمات أخرى. "), "في والمدرسة", "[والمدرسة]"],
  ["東京都", filler("これは長い文章です。"), "これが東京都の予算", "[東京都]の予算"],
  ["snake_case", filler("A field of wheat. "), "a snake_case name", "[snake]_[case] name"],
  [
    "report revenue",
    `the report ${filler("A field of wheat. ")}`,
    "report of revenue",
    "[report] of [revenue]",
  ],
] as const)(
  "the snippet of %s is around its match, however it is inflected",
  async ([query, before, text, expected], { town }) => {
    await town.put("/long.txt", `${before}${text}. ${before}`);
    expect(snippetOf(await ask(town, town.owner, query))).toContain(expected);
  },
);

test("a word that only begins alike does not take the snippet", async ({ town }) => {
  await town.put("/long.txt", `${filler("The companion waits. ")}The company was sold. ${filler("More. ")}`);
  expect(snippetOf(await ask(town, town.owner, "company sold"))).toContain("[company] was [sold]");
});

test("a snippet begins and ends with whole words", async ({ town }) => {
  await town.put("/long.txt", `${filler("alphabet ")}needle ${filler("alphabet ")}`);
  expect(snippetOf(await ask(town, town.owner, "needle"))).toMatch(/^alphabet .*\[needle\].* alphabet$/u);
});

test("returns several passages with their offsets in the text, the best first", async ({ town }) => {
  const gap = filler("Ein Weizenfeld im 🌾 Sommer. ", 30);
  const text = `${gap}the budget ${gap}the budget of the parliament ${gap}no budget ${gap}`;
  await town.put("/long.txt", text);
  const { hits } = await ask(town, town.owner, "budget parliament", { passages: 3 });
  const [hit] = hits;
  expect(hit?.passages).toHaveLength(3);
  const characters = [...text];
  for (const { start, end, pieces } of hit?.passages ?? []) {
    expect(pieces.map((piece) => piece.text).join("")).toBe(characters.slice(start, end).join(""));
    expect(pieces.some(({ match }) => match)).toBe(true);
  }
  expect(hit?.passages?.[0]?.pieces.filter(({ match }) => match).map(({ text: word }) => word)).toEqual([
    "budget",
    "parliament",
  ]);
  expect(hit?.snippetStart).toBe(hit?.passages?.[0]?.start);
  expect((await ask(town, town.owner, "budget", { passages: 2 })).hits[0]?.passages).toHaveLength(2);
  expect((await ask(town, town.owner, "budget")).hits[0]).not.toHaveProperty("passages");
  await expect(ask(town, town.owner, "budget", { passages: 6 })).rejects.toThrow("400");
});

test("a terminal shows each passage with its offsets", async ({ town }) => {
  await town.put("/a.txt", "the budget");
  const { body } = await town.backend.type(town.owner, town.words("search query budget --passages 1"), {
    request: { want: "text" },
  });
  expect(body.text).toContain("    0-10: the [budget]");
});

test("shows passages without a snippet", async ({ town }) => {
  await town.put("/a.txt", "the budget");
  const { hits } = await ask(town, town.owner, "budget", { passages: 1, highlight: false });
  expect(hits[0]).toMatchObject({ passages: [{ start: 0, end: 10 }] });
  expect(hits[0]).not.toHaveProperty("snippet");
});

test("a page of hostile texts takes no longer than others", async ({ town }) => {
  const query = `ab ${"a".repeat(19)}b`;
  const processorTime = async (texts: Record<string, string>) => {
    for (const [name, text] of Object.entries(texts)) await town.put(`/${name}-ab.txt`, text);
    const before = process.cpuUsage();
    const { hits } = await ask(town, town.owner, query, { passages: 5 });
    const { user, system } = process.cpuUsage(before);
    expect(hits).toHaveLength(4);
    return user + system;
  };
  const ordinary = `ab ${"A field of wheat. ".repeat(11_000)}`;
  const usual = await processorTime({
    letters: ordinary,
    words: ordinary,
    marks: ordinary,
    almost: ordinary,
  });
  const hostile = await processorTime({
    letters: "a".repeat(200_000),
    words: "ab ".repeat(66_000),
    marks: `ab ${"e\u0301".repeat(60_000)}`,
    almost: `ab ${`${"a".repeat(19)}c `.repeat(9_000)}`,
  });
  expect(hostile).toBeLessThan(20 * usual);
});
