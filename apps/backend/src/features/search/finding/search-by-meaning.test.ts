import { expect } from "vitest";
import { embedAll, test } from "../../../../testing/meaning-test.ts";
import { ask, titles } from "../../../../testing/search-test.ts";
import { asAdmin } from "../../../../testing/worker-test.ts";

test("finds a file without any of the words, and shows the close passage", async ({ town }) => {
  // More than one chunk holds: the second is about cars.
  await town.put("/a.txt", `${"filler of no meaning here\n".repeat(78)}${"an automobile\n".repeat(150)}`);
  await town.put("/b.txt", "the car park");
  await town.put("/c.txt", "apples");
  await embedAll(town);
  await town.put("/late.txt", "vehicle");
  const answer = await ask(town, town.owner, "car");
  expect(answer).toMatchObject({
    hits: [
      {
        title: "b.txt",
        matchedBy: ["fulltext", "semantic"],
        snippet: [{}, { text: "car", match: true }, {}],
      },
      {
        title: "a.txt",
        matchedBy: ["semantic"],
        snippet: [{ text: expect.stringContaining("an automobile"), match: false }],
        snippetStart: expect.toSatisfy((start) => start > 1_000),
      },
    ],
    total: { value: 2, relation: "eq" },
    semantic: { state: "used", embedded: 3, waiting: 1 },
  });
});

test("a mode decides how to search, and a search without meaning requests no vector", async ({
  town,
  embedder,
}) => {
  await town.put("/a.txt", "an automobile");
  await town.put("/b.txt", "the doctor and her car");
  await embedAll(town);
  const before = embedder.asked.length;
  const byWords = { hits: [{ title: "b.txt", matchedBy: ["fulltext"] }], semantic: { state: "off" } };
  expect(await ask(town, town.owner, "car", { mode: "fulltext" })).toMatchObject(byWords);
  expect((await ask(town, town.owner, "b", { searchContent: false })).semantic).toEqual({
    state: "off",
    embedded: 0,
    waiting: 0,
  });
  expect(titles(await ask(town, town.owner, "type:txt"))).toHaveLength(2);
  expect((await ask(town, town.owner, "car", { entityTypes: ["RECORD"] })).hits).toEqual([]);
  expect(embedder.asked).toHaveLength(before);
  expect(await ask(town, town.owner, "car", { mode: "semantic" })).toMatchObject({
    hits: [
      { title: "a.txt", matchedBy: ["semantic"] },
      { title: "b.txt", matchedBy: ["semantic"] },
    ],
  });
  expect(titles(await ask(town, town.owner, "car", { mode: "hybrid" }))).toEqual(["b.txt", "a.txt"]);
  expect(embedder.asked.slice(before)).toEqual(["car"]);
});

test("searching names only never searches texts, by meaning either", async ({ town, embedder }) => {
  await town.put("/a.txt", "an automobile");
  await town.put("/car.txt", "nothing");
  await embedAll(town);
  const before = embedder.asked.length;
  for (const mode of ["hybrid", "semantic"]) {
    const answer = await ask(town, town.owner, "car", { mode, searchContent: false });
    expect(titles(answer)).toEqual(mode === "hybrid" ? ["car.txt"] : []);
    expect(answer.semantic).toMatchObject({ state: "off", reason: "only names were searched" });
  }
  expect(embedder.asked).toHaveLength(before);
});

test("does not ask for the meaning of codes, phrases and unfinished words, and says so", async ({
  town,
  embedder,
}) => {
  await town.put("/a.txt", "an automobile");
  await town.put("/b.txt", "the car PLT-3699 of 2026-03-26");
  await embedAll(town);
  const before = embedder.asked.length;
  const semantic = async (query: string, more = {}) => (await ask(town, town.owner, query, more)).semantic;
  const literal = "codes, numbers, dates and addresses are searched by words";
  for (const query of ["PLT-3699", "2026-03-26", "26 March 2026", "mia@example.com", "192.168.1.17"])
    expect(await semantic(query)).toEqual({ state: "off", embedded: 2, waiting: 0, reason: literal });
  expect((await semantic('"the car"')).reason).toBe("a phrase in quotes is searched by words");
  const typing = "the query is still being typed";
  for (const query of ["car", "car ", "car park "])
    for (const mode of ["auto", "hybrid", "semantic"])
      expect((await semantic(query, { typing: true, mode })).reason, `${query} ${mode}`).toBe(typing);
  expect((await semantic("autombile")).reason).toBe("no document has this word");
  expect(embedder.asked).toHaveLength(before);
  expect((await semantic("autombile", { mode: "hybrid" })).state).toBe("used");
  expect((await semantic("PLT-3699", { mode: "semantic" })).state).toBe("used");
  expect((await semantic("car PLT-3699")).state).toBe("used");
});

test("a word that only hidden documents have counts as one that no document has", async ({ town }) => {
  const viewer = await town.person("Vera", "viewer");
  await town.run("files mkdir /secret");
  await town.run("access restrict /secret");
  await town.put("/secret/b.txt", "car");
  await town.put("/a.txt", "an automobile");
  await embedAll(town);
  expect((await ask(town, viewer, "car")).semantic.reason).toBe("no document has this word");
  expect((await ask(town, town.owner, "car")).semantic.state).toBe("used");
});

test("suggests names although meaning found something", async ({ town }) => {
  await town.put("/vehicular.txt", "apples");
  await town.put("/a.txt", "an automobile");
  await embedAll(town);
  expect(await ask(town, town.owner, "vehicle", { mode: "hybrid" })).toMatchObject({
    hits: [{ title: "a.txt", matchedBy: ["semantic"] }],
    suggestions: ["vehicular.txt"],
  });
  await town.put("/b.txt", "a vehicle");
  expect(await ask(town, town.owner, "vehicle", { mode: "hybrid" })).not.toHaveProperty("suggestions");
});

test("a file that is not embedded yet is neither rewarded nor punished", async ({ town }) => {
  await town.put("/close.txt", "rain rain and rain");
  await town.put("/far.txt", `rain ${"about something else entirely ".repeat(20)}`);
  await embedAll(town);
  await town.put("/new.txt", "rain rain and rain");
  const scores = async (more = {}) => {
    const { hits } = await ask(town, town.owner, "rain", { explain: true, ...more });
    return new Map(
      hits.map(({ title, explain }) => [
        title,
        { score: (explain?.points ?? 0) / (explain?.recency ?? 1), explain },
      ]),
    );
  };
  const found = await scores();
  expect([...found.keys()].sort()).toEqual(["close.txt", "far.txt", "new.txt"]);
  const { score = 0, explain } = found.get("new.txt") ?? {};
  const ratio = explain?.meaning?.best.ratio ?? 0;
  expect(ratio).toBeGreaterThan(0);
  expect(explain?.meaning).toMatchObject({ estimated: true });
  expect(found.get("close.txt")?.explain?.meaning).toMatchObject({ estimated: false });
  expect(score).toBeCloseTo(0.5 + 0.5 * Math.min(1, ratio), 5);
  expect(score).toBeGreaterThan(found.get("far.txt")?.score ?? 1);
});

test("what can never be embedded ranks by its words, and so does everything in other workspaces", async ({
  town,
}) => {
  await town.put("/close.txt", `rain ${"drizzle and downpour ".repeat(6)}`);
  await embedAll(town);
  await town.backend.run(town.owner, ["workspaces", "create", "Other"]);
  await town.backend.send(town.owner, "files put local /plain.txt --workspace other", "rain rain and rain");
  expect(titles(await ask(town, town.owner, "rain"))).toEqual(["plain.txt", "close.txt"]);
});

test("by meaning alone, a file without a close passage is not a hit", async ({ town }) => {
  await town.put("/a.txt", "apples and pears grow in the garden behind the house of my uncle, and a car");
  await embedAll(town);
  expect(await ask(town, town.owner, "rain", { mode: "semantic" })).toMatchObject({
    hits: [],
    total: { value: 0 },
    semantic: { state: "used" },
  });
  expect((await ask(town, town.owner, "automobile", { mode: "semantic" })).hits).toEqual([]);
});

test("a name with all words ranks before a close passage", async ({ town }) => {
  await town.put("/car.txt", "nothing of it in here, but many other words of all kinds");
  await town.put("/b.txt", "car");
  await embedAll(town);
  expect(titles(await ask(town, town.owner, "car"))).toEqual(["car.txt", "b.txt"]);
});

test("hidden files are not found, and change nothing", async ({ town }) => {
  const viewer = await town.person("Vera", "viewer");
  await town.run("files mkdir /secret");
  await town.run("access restrict /secret");
  await town.put("/a.txt", "an automobile");
  await embedAll(town);
  const asked = async () => {
    const answer = await ask(town, viewer, "car", { explain: true, mode: "hybrid" });
    return {
      ...answer,
      tookMs: 0,
      hits: answer.hits.map((hit) => ({ ...hit, explain: { ...hit.explain, points: 0, recency: 1 } })),
    };
  };
  const before = await asked();
  expect(before).toMatchObject({ hits: [{ title: "a.txt" }], semantic: { embedded: 1, waiting: 0 } });
  await town.put("/secret/b.txt", "car");
  expect(await asked()).toEqual(before);
  await embedAll(town);
  expect(await asked()).toEqual(before);
  expect((await ask(town, town.owner, "car")).total.value).toBe(2);
});

test("vectors of a workspace that opted out are not used, even while they still exist", async ({ town }) => {
  await town.put("/a.txt", "an automobile");
  await embedAll(town);
  await town.backend.run(town.owner, ["workspaces", "create", "Other"]);
  await town.backend.run(town.owner, ["workspaces", "update", "other", "--semantic-search", "on"]);
  await town.backend.run(town.owner, ["workspaces", "update", "town", "--semantic-search", "off"]);
  expect(await ask(town, town.owner, "car", { mode: "hybrid" })).toMatchObject({
    hits: [],
    semantic: { state: "used", embedded: 0, waiting: 0 },
  });
  await town.backend.run(town.owner, ["workspaces", "update", "other", "--semantic-search", "off"]);
  expect(await ask(town, town.owner, "car", { mode: "semantic" })).toMatchObject({
    hits: [],
    semantic: { state: "off", reason: "nobody opted in" },
  });
});

test("excluded words, phrases, types and places apply to semantic hits", async ({ town }) => {
  await town.run("files mkdir /in");
  await town.put("/in/a.md", "an automobile, red");
  await town.put("/b.txt", "a vehicle, green");
  await embedAll(town);
  const found = async (query: string) =>
    titles(await ask(town, town.owner, query, { mode: "hybrid" })).sort();
  expect(await found("car")).toEqual(["a.md", "b.txt"]);
  expect(await found("car -green")).toEqual(["a.md"]);
  expect(await found('car "a vehicle"')).toEqual(["b.txt"]);
  expect(await found("car type:md")).toEqual(["a.md"]);
  expect(await found("car -in:/in")).toEqual(["b.txt"]);
  expect(await found("car in:/nowhere")).toEqual([]);
  expect(titles(await ask(town, town.owner, "car -green", { mode: "semantic" }))).toEqual(["a.md"]);
  const markdown = { mode: "hybrid", filters: { mediaType: "text/markdown" } };
  expect(titles(await ask(town, town.owner, "car", markdown))).toEqual(["a.md"]);
});

test("pages continue without gaps or duplicates while documents are added", async ({ town }) => {
  for (let index = 0; index < 5; index += 1) {
    await town.put(`/word ${index}.txt`, `rain ${"filler ".repeat(index)}`);
    await town.put(`/meaning ${index}.txt`, `drizzle ${"other ".repeat(index)}`);
  }
  await embedAll(town);
  const whole = titles(await ask(town, town.owner, "rain", { limit: 50 }));
  expect(whole).toHaveLength(9);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const answer = await ask(town, town.owner, "rain", { limit: 2, ...(cursor ? { cursor } : {}) });
    seen.push(...titles(answer));
    cursor = answer.nextCursor;
    // Better than any before it: the statistics of the first page must still apply.
    await town.put(`/late ${seen.length}.txt`, "rain ".repeat(20));
    await embedAll(town);
  } while (cursor && seen.length < 30);
  expect(seen.filter((title) => !title.startsWith("late"))).toEqual(whole);
  expect(new Set(seen).size).toBe(seen.length);
});

test("by meaning alone few files are considered, and more if one of them could be on the page", {
  tags: ["long"],
}, async ({ town }) => {
  for (let index = 0; index < 60; index += 1) await town.put(`/${index}.txt`, "an automobile");
  await embedAll(town);
  await asAdmin(town, (admin) =>
    admin.query(
      `update app.searchable set updated_at = updated_at - interval '3 years'
       where tenant_id = $1 and name <> '59.txt'`,
      [town.tenant.id],
    ),
  );
  const options = { mode: "semantic", limit: 10 };
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const answer = await ask(town, town.owner, "car", { ...options, ...(cursor ? { cursor } : {}) });
    seen.push(...titles(answer));
    cursor = answer.nextCursor;
  } while (cursor && seen.length < 100);
  // All mean the same: the newest is not closer than the others, and the last by id.
  expect(seen[0]).toBe("59.txt");
  expect(new Set(seen).size).toBe(60);
  expect(seen).toHaveLength(60);

  for (const file of ["near", "nearer", "nearest"]) await town.put(`/${file}.txt`, "car");
  await embedAll(town);
  const answer = await ask(town, town.owner, "car", { ...options, limit: 3 });
  expect(titles(answer).sort()).toEqual(["near.txt", "nearer.txt", "nearest.txt"]);
  expect(answer.total).toEqual({ value: 50, relation: "gte" });
});

test("an explanation shows the numbers of both", async ({ town }) => {
  await town.put("/a.txt", "an automobile");
  await town.put("/b.txt", "car");
  await embedAll(town);
  const { hits } = await ask(town, town.owner, "car", { explain: true });
  expect(hits).toMatchObject([
    {
      title: "b.txt",
      explain: { level: "all words", meaning: { similarity: 1, weight: 0.5, best: { similarity: 1 } } },
    },
    {
      title: "a.txt",
      explain: { inText: 0, meaning: { similarity: expect.closeTo(Math.SQRT1_2, 2), least: 0.3 } },
    },
  ]);
});

test("a line says why meaning did not help, or what it does not cover yet", async ({ town, embedder }) => {
  await town.put("/a.txt", "car");
  const text = async (query: string) =>
    (await town.backend.type(town.owner, ["search", "query", query], { request: { want: "text" } })).body;
  expect(JSON.stringify(await text("car"))).toContain("1 files are not embedded yet");
  embedder.before = async () => {
    throw new Error("down");
  };
  expect(JSON.stringify(await text("car down"))).toContain("Not searched by meaning: the embedder failed");
  embedder.before = async () => {};
});
