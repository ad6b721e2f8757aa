import { expect } from "vitest";
import { ask, test, titles } from "../../../../testing/search-test.ts";

test.for([
  ["carfae", "carafe"],
  ["budgett", "budget"],
  ["recieve", "receive"],
  ["buget", "budget"],
])("finds %s as %s, and says so", async ([typed = "", meant = ""], { town }) => {
  await town.put("/table.txt", "a glass carafe");
  await town.put("/budget-2027.txt", "figures");
  await town.put("/post.txt", "when we receive a parcel");
  const answer = await ask(town, town.owner, typed);
  expect(answer.hits).toHaveLength(1);
  expect(answer.corrections).toEqual([{ word: typed, also: [meant] }]);
  expect(answer).not.toHaveProperty("suggestions");
});

test("marks the corrected word in the text, and names the typed one in the explanation", async ({ town }) => {
  await town.put("/post.txt", `${"filler ".repeat(200)}when we receive a parcel`);
  const { hits } = await ask(town, town.owner, "recieve", { explain: true });
  expect(hits[0]?.snippet?.filter(({ match }) => match)).toEqual([{ text: "receive", match: true }]);
  expect(hits[0]?.explain?.words).toMatchObject([{ word: "receiv", insteadOf: "recieve", documents: 1 }]);
});

test("tells people at a terminal how to search for exactly what they typed", async ({ town }) => {
  await town.put("/budget.txt", "figures");
  const { body } = await town.backend.type(town.owner, "search query buget", { request: { want: "text" } });
  expect(JSON.stringify(body)).toContain("also: budget (nothing contains buget; put it in quotes");
});

test("corrects a word of a longer query; documents with all words come first", async ({ town }) => {
  await town.put("/a.txt", "the annual report of the harbour");
  await town.put("/b.txt", "the annual boundary of the field");
  const answer = await ask(town, town.owner, "annual bondary");
  expect(titles(answer)).toEqual(["b.txt", "a.txt"]);
  expect(answer.corrections).toEqual([{ word: "bondary", also: ["boundary"] }]);
});

test("beside other words, a correction begins with the letter that was typed", async ({ town }) => {
  await town.put("/stock.txt", "goods in stock");
  await town.put("/minutes.txt", "telling everybody about goods in stock, and about much else besides");
  const beside = await ask(town, town.owner, "selling stock");
  expect(titles(beside)).toEqual(["stock.txt", "minutes.txt"]);
  expect(beside).not.toHaveProperty("corrections");
  expect((await ask(town, town.owner, "selling")).corrections).toEqual([
    { word: "selling", also: ["telling"] },
  ]);
});

test("never corrects words in quotes, or if told not to", async ({ town }) => {
  await town.put("/budget.txt", "the budget");
  for (const [query, more] of [
    ['"buget"', {}],
    ["buget", { correct: false }],
    ["buget", { mode: "semantic" }],
  ] as const) {
    const answer = await ask(town, town.owner, query, more);
    expect(answer.hits, query).toEqual([]);
    expect(answer).not.toHaveProperty("corrections");
  }
});

test("keeps a word that one document has, even outside the filters", async ({ town }) => {
  await town.put("/typo.md", "the buget of last year");
  for (let index = 0; index < 5; index += 1) await town.put(`/budget ${index}.txt`, "budget");
  expect(titles(await ask(town, town.owner, "buget"))).toEqual(["typo.md"]);
  expect(titles(await ask(town, town.owner, "buget type:txt"))).toEqual([]);
  expect(titles(await ask(town, town.owner, "budgex type:md"))).toEqual([]);
});

test("uses the three similar words that most documents have", async ({ town }) => {
  const words = ["bald", "balk", "bale", "balm"];
  for (const [index, word] of words.entries()) {
    for (let copy = 0; copy <= index; copy += 1) await town.put(`/${word} ${copy}.txt`, "");
  }
  const { corrections, total } = await ask(town, town.owner, "balx");
  expect(corrections).toEqual([{ word: "balx", also: ["balm", "bale", "balk"] }]);
  expect(total.value).toBe(9);
});

test("finds a rare similar word beside a frequent one", async ({ town }) => {
  for (let index = 0; index < 70; index += 1) await town.put(`/${index}.txt`, "the form of things");
  await town.put("/last.txt", "a fork in the road");
  const { corrections } = await ask(town, town.owner, "forq");
  expect(corrections).toEqual([{ word: "forq", also: ["form", "fork"] }]);
});

test("is spelled like a word that exists, not like one that shares its German stem", async ({ town }) => {
  await town.put("/a.txt", "Das Budget ist nicht neu, und es ist auch nicht alt.");
  const { corrections } = await ask(town, town.owner, "budgett");
  expect(corrections).toEqual([{ word: "budgett", also: ["budget"] }]);
});

test("the next page goes on with the same corrections", async ({ town }) => {
  for (let index = 0; index < 5; index += 1) await town.put(`/${index}.txt`, "a glass carafe");
  const first = await ask(town, town.owner, "carfae", { limit: 3 });
  await town.put("/new.txt", "carfae");
  const second = await ask(town, town.owner, "carfae", { limit: 3, cursor: first.nextCursor });
  expect(new Set([...titles(first), ...titles(second)]).size).toBe(5);
  expect(second.corrections).toEqual(first.corrections);
});

test("nothing hidden is a correction, or prevents one", async ({ town }) => {
  const viewer = await town.person("Vera", "viewer");
  await town.run("files mkdir /hidden");
  await town.run("access restrict /hidden");
  await town.put("/seen.txt", "a glass carafe");
  const answers = async () => {
    const all = [];
    for (const query of ["carfae", "bondary", "glass bondary", "carafr"]) {
      const { hits, total, corrections, suggestions } = await ask(town, viewer, query, { explain: true });
      const words = hits.map(({ title, snippet, explain }) => ({ title, snippet, words: explain?.words }));
      all.push({ words, total, corrections, suggestions });
    }
    return JSON.stringify(all);
  };
  const before = await answers();
  await town.put("/hidden/boundary carfae.txt", "the boundary; carfae, carafr, carate, carafes");
  expect(await answers()).toBe(before);
  expect((await ask(town, town.owner, "bondary")).corrections).toEqual([
    { word: "bondary", also: ["boundary"] },
  ]);
});
