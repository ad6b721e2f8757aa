import { sql } from "kysely";
import { expect } from "vitest";
import type { FilesTown } from "../../../../testing/files-test.ts";
import { ask, type TestAnswer, test, titles } from "../../../../testing/search-test.ts";

test("a hit says where it is, whose it is and what matched", async ({ town }) => {
  await town.run(["files", "mkdir", "/Reports"]);
  await town.put("/Reports/Annual budget.txt", "the budget of a harbour");
  await town.put("/harbour.txt", "lighthouse");
  await town.run(["collections", "create", "Ships", "--field", "name!:text"]);
  await town.run(["records", "create", "ships", "--set", "name=Harbour tug"]);
  const me = await town.backend.run<{ id: string; name: string }>(town.owner, "whoami");
  const { hits } = await ask(town, town.owner, "harbour budget");
  const byTitle = new Map(hits.map((hit) => [hit.title, hit]));
  expect(byTitle.get("Annual budget.txt")).toMatchObject({
    address: "town:/Reports/Annual budget.txt",
    workspace: { slug: "town", name: "Town" },
    parent: { name: "Reports", path: "/Reports", id: expect.stringMatching(/^fold_/) },
    owner: { id: me.id, name: me.name },
    size: 23,
    matched: "all words",
    titlePieces: [
      { text: "Annual ", match: false },
      { text: "budget", match: true },
      { text: ".txt", match: false },
    ],
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  expect(byTitle.get("harbour.txt")).toMatchObject({
    address: "town:/harbour.txt",
    parent: { id: byTitle.get("harbour.txt")?.workspace?.id, name: "Town", path: "/" },
    matched: "some words",
  });
  expect(byTitle.get("Harbour tug")).toMatchObject({ address: "town:Ships", parent: { name: "Ships" } });
  expect(byTitle.get("Harbour tug")).not.toHaveProperty("size");
  const [named, inWorkspace] = [
    await ask(town, town.owner, "annual budget"),
    await ask(town, town.owner, "town", { searchContent: false }),
  ];
  expect(named.hits[0]).toMatchObject({ matched: "name", score: 1 });
  expect(inWorkspace.hits[0]).toMatchObject({ address: "town:/", matched: "name" });
  expect(inWorkspace.hits[0]).not.toHaveProperty("parent");
});

test("scores follow the order from 1 down, over pages", async ({ town }) => {
  await town.put("/kiwi.txt", "fruit");
  for (let index = 0; index < 6; index += 1)
    await town.put(`/note ${index}.txt`, `kiwi ${"filler ".repeat(index * 3)} ${index % 2 ? "plum" : ""}`);
  const scores: number[] = [];
  let cursor: string | undefined;
  do {
    const answer: TestAnswer = await ask(town, town.owner, "kiwi plum", { limit: 2, cursor });
    scores.push(...answer.hits.map(({ score }) => score));
    cursor = answer.nextCursor;
  } while (cursor);
  expect(scores).toHaveLength(7);
  expect(scores[0]).toBe(1);
  expect(scores).toEqual(scores.toSorted((left, right) => right - left));
  expect(Math.min(...scores)).toBeGreaterThan(0);
});

/** Sizes grow with the number, names and dates do not. */
async function fillUnsorted(town: FilesTown): Promise<void> {
  for (const [index, name] of ["delta", "Alpha", "charlie", "bravo", "Écho"].entries())
    await town.put(`/${name}.txt`, `kiwi ${"x".repeat(index * 10)}`);
  await town.put("/delta.txt", "kiwi changed");
  await town.run(["files", "mkdir", "/kiwi"]);
}

test.for([
  ["name", ["Alpha.txt", "bravo.txt", "charlie.txt", "delta.txt", "Écho.txt", "kiwi"]],
  ["size", ["Écho.txt", "bravo.txt", "charlie.txt", "Alpha.txt", "delta.txt", "kiwi"]],
  ["created", ["kiwi", "Écho.txt", "bravo.txt", "charlie.txt", "Alpha.txt", "delta.txt"]],
  ["updated", ["kiwi", "delta.txt", "Écho.txt", "bravo.txt", "charlie.txt", "Alpha.txt"]],
] as const)("sorts by %s, page by page", async ([sort, expected], { town }) => {
  await fillUnsorted(town);
  const whole = await ask(town, town.owner, "kiwi", { sort });
  expect(titles(whole)).toEqual(expected);
  expect(whole).toMatchObject({ total: { value: 6, relation: "eq" }, order: "exact" });
  expect(whole.hits.map(({ score }) => score)).toEqual(expected.map(() => 1));
  expect(whole.hits.find(({ title }) => title === "kiwi")?.matched).toBe("name");
  const paged: string[] = [];
  let cursor: string | undefined;
  do {
    const page: TestAnswer = await ask(town, town.owner, "kiwi", { sort, limit: 2, cursor });
    expect(page.total.value).toBe(6);
    paged.push(...titles(page));
    cursor = page.nextCursor;
  } while (cursor);
  expect(paged).toEqual(expected);
});

test("sorts what only filters find, and corrects typos there", async ({ town }) => {
  await fillUnsorted(town);
  expect(titles(await ask(town, town.owner, "type:text", { sort: "name" }))).toHaveLength(5);
  const corrected = await ask(town, town.owner, "kiwu", { sort: "name" });
  expect(corrected.corrections).toMatchObject([{ word: "kiwu", also: ["kiwi"] }]);
  expect(titles(corrected)[0]).toBe("Alpha.txt");
});

test("a cursor belongs to its order, and a changed one is refused", async ({ town }) => {
  await fillUnsorted(town);
  const { nextCursor = "" } = await ask(town, town.owner, "kiwi", { sort: "name", limit: 1 });
  const again = (cursor: string, sort: string) => ask(town, town.owner, "kiwi", { sort, limit: 1, cursor });
  await expect(again(nextCursor, "size")).rejects.toThrow("belongs to another search");
  await expect(again(nextCursor, "relevance")).rejects.toThrow("belongs to another search");
  const cursor = JSON.parse(Buffer.from(nextCursor, "base64url").toString());
  const changed = (part: object) =>
    again(Buffer.from(JSON.stringify({ ...cursor, ...part })).toString("base64url"), "name");
  for (const sortKey of [7, "a\0b", "\ud800", undefined, 2 ** 60])
    await expect(changed({ sortKey })).rejects.toThrow("belongs to another search");
  expect((await changed({ sortKey: "zzz" })).hits).toEqual([]);
  expect((await changed({ best: 1e-9 })).hits).toHaveLength(1);
  await expect(ask(town, town.owner, "kiwi", { sort: "name", mode: "semantic" })).rejects.toThrow("--sort");
});

test("facets count hits, and their operators find as many", async ({ town }) => {
  const editor = await town.person("Edda Editor", "editor");
  await town.backend.run(town.owner, ["workspaces", "create", "Branch"]);
  await town.put("/a.csv", "kiwi");
  await town.put("/b.txt", "kiwi");
  await town.as(editor).put("/c.json", "kiwi");
  await town.as(editor).put("/other.txt", "pear");
  await town.run(["files", "mkdir", "/kiwi"]);
  const put = ["files", "put", "./d.txt", "/d.txt", "--workspace", "branch"];
  await town.backend.send(town.owner, put, "kiwi");
  const { facets, total } = await ask(town, town.owner, "kiwi", { facets: true });
  expect(total.value).toBe(5);
  expect(facets?.about).toBe(false);
  const counts = (name: "type" | "workspace" | "owner" | "year") =>
    facets?.[name].map(({ label, count }) => [label, count]);
  expect(counts("type")).toEqual([
    ["text", 3],
    ["code", 1],
    ["folder", 1],
    ["spreadsheet", 1],
  ]);
  expect(counts("workspace")).toEqual([
    ["Town", 4],
    ["Branch", 1],
  ]);
  expect(counts("owner")).toEqual([
    ["Owner of Town", 4],
    ["Edda Editor", 1],
  ]);
  expect(counts("year")).toEqual([[String(new Date().getUTCFullYear()), 5]]);
  const { about: _, ...each } = facets ?? { about: false };
  for (const { operator, count } of Object.values(each).flat()) {
    const narrowed = await ask(town, town.owner, `kiwi ${operator}`);
    expect([operator, narrowed.total.value, narrowed.ignored]).toEqual([operator, count, undefined]);
  }
  expect((await ask(town, town.owner, "kiwi")).facets).toBeUndefined();
  expect((await ask(town, town.owner, "kiwi", { facets: true, sort: "name" })).facets).toEqual(facets);
});

test("the years of facets are those of the caller", async ({ town }) => {
  await town.put("/a.txt", "kiwi");
  const { id } = town.tenant;
  await town.backend.database.withTenant({ tenantId: id, actorId: id }, "write", ({ db }) =>
    sql`update app.searchable set updated_at = '2024-12-31T23:30:00Z' where name = 'a.txt'`.execute(db),
  );
  const years = async (timeZone: string) =>
    (await ask(town, town.owner, "kiwi", { facets: true, timeZone })).facets?.year.map(({ value }) => value);
  expect(await years("UTC")).toEqual(["2024"]);
  expect(await years("Europe/Berlin")).toEqual(["2025"]);
});

test("a terminal shows facets, notes and explanations", async ({ town }) => {
  await town.put("/a.txt", "kiwi");
  const { body } = await town.backend.type(
    town.owner,
    town.words(["search", "query", "kiwi", "type:zebra", "--facets", "--explain"]),
    { request: { want: "text" } },
  );
  expect(body.text).toMatch(
    /\n {4}all words · [\d.]+ points \(text [\d.]+, name 0, new × 1\.1\) · kiwi [\d.]+ \(in 1\)\n/,
  );
  expect(body.text).toContain(
    "1 found\nTypes      text 1\nWorkspaces Town 1\nOwners     Owner of Town 1\nYears      ",
  );
  expect(body.text).toContain("\nnote: type:zebra: There is no such type.");
});
