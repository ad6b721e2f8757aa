import { describe, expect } from "vitest";
import type { FilesTown } from "../../../../testing/files-test.ts";
import { test as withMeaning } from "../../../../testing/meaning-test.ts";
import { test } from "../../../../testing/search-test.ts";
import { asAdmin } from "../../../../testing/worker-test.ts";

interface TestSuggestion {
  kind: string;
  text: string;
  query?: string;
  address?: string;
  entityType?: string;
  id?: string;
}

async function suggest(
  { backend }: Pick<FilesTown, "backend">,
  token: string,
  q?: string,
): Promise<TestSuggestion[]> {
  const answer = await backend.server.inject({
    method: "GET",
    url: "/api/v1/search/suggest",
    headers: { authorization: `Bearer ${token}` },
    ...(q === undefined ? {} : { query: { q } }),
  });
  if (answer.statusCode !== 200) throw new Error(`${q}: ${answer.statusCode} ${answer.body}`);
  return answer.json().suggestions;
}

async function texts(town: FilesTown, token: string, q: string, kind: string): Promise<string[]> {
  return (await suggest(town, token, q)).filter((each) => each.kind === kind).map(({ text }) => text);
}

/** As if these people had looked for it, some days ago. */
async function remember(
  town: FilesTown,
  people: readonly string[],
  query: string,
  { hits = 1, daysAgo = 1 } = {},
): Promise<void> {
  await asAdmin(town, async (admin) => {
    for (const id of people)
      await admin.query(
        `insert into app.search_query (tenant_id, actor_id, query, normalised, hits, at)
         values ($1, $2, $3, lower($3), $4, now() - $5 * interval '1 day')`,
        [town.tenant.id, id, query, hits, daysAgo],
      );
  });
}

async function addPeople(
  { tenant }: FilesTown,
  count: number,
  kind: "user" | "service" = "user",
): Promise<string[]> {
  const ids = [];
  for (let number = 0; number < count; number += 1)
    ids.push((await tenant.addPerson(`${kind} ${number}`, { kind })).id);
  return ids;
}

test("names of files, folders and records, with what to open", async ({ town }) => {
  await town.run("files mkdir /invoices-2026");
  await town.put("/invoices-2026/Invoice March.txt", "x");
  await town.put("/summary.txt", "an invoice in the text only");
  await town.run("collections create customers --field name:text");
  const { id } = await town.run<{ id: string }>([
    "records",
    "create",
    "customers",
    "--set",
    "name=Invicta Ltd",
  ]);
  const found = (await suggest(town, town.owner, "inv")).filter(({ kind }) => kind === "name");
  expect(found).toHaveLength(3);
  expect(found).toContainEqual({
    kind: "name",
    text: "Invoice March.txt",
    address: "town:/invoices-2026/Invoice March.txt",
    entityType: "FILE",
    id: expect.stringMatching(/^file_/),
  });
  expect(found).toContainEqual(
    expect.objectContaining({ text: "invoices-2026", address: "town:/invoices-2026", entityType: "FOLDER" }),
  );
  expect(found).toContainEqual(expect.objectContaining({ entityType: "RECORD", address: id, id }));
  expect(await texts(town, town.owner, "march inv", "name")).toEqual(["Invoice March.txt"]);
  expect(await texts(town, town.owner, "march report", "name")).toEqual([]);
});

test("names and workspaces that the caller cannot see are not suggested", async ({ town }) => {
  await town.run("files mkdir /secret");
  await town.run("access restrict /secret");
  await town.put("/secret/invoice.txt", "x");
  const viewer = await town.person("Vera", "viewer");
  await town.backend.run(town.tenant.token, ["workspaces", "create", "Invisible"]);
  expect(await suggest(town, viewer, "inv")).toEqual([]);
  expect(await texts(town, town.owner, "inv", "name")).toEqual(["invoice.txt"]);
  expect(await texts(town, town.tenant.token, "inv", "workspace")).toEqual(["Invisible"]);
});

test("workspaces, with the search in them", async ({ town }) => {
  expect((await suggest(town, town.owner, "tow")).filter(({ kind }) => kind === "workspace")).toEqual([
    {
      kind: "workspace",
      text: "Town",
      query: "in:town",
      address: "town:/",
      entityType: "WORKSPACE",
      id: expect.stringMatching(/^ws_/),
    },
  ]);
});

test("people whom the caller knows, by any word of their name, and nobody else", async ({ town }) => {
  await town.person("Vera Lindqvist-Moreau", "viewer");
  await town.tenant.addPerson("Vera Unknown");
  for (const typed of ["ver", "lind", "moreau ve"])
    expect(await texts(town, town.owner, typed, "person"), typed).toEqual(["Vera Lindqvist-Moreau"]);
  expect(await texts(town, town.owner, "era", "person")).toEqual([]);
  expect(await texts(town, town.tenant.token, "ver", "person")).toEqual([
    "Vera Lindqvist-Moreau",
    "Vera Unknown",
  ]);
  const [person] = await suggest(town, town.owner, "lindq");
  expect(person?.query).toBe(`owner:${person?.id}`);
});

describe("queries", () => {
  test("the caller's own, latest first, until they delete them", async ({ town }) => {
    const { id, token } = await town.tenant.addPerson("Rin");
    const other = await town.tenant.addPerson("Mina");
    await remember(town, [id], "Invoice march", { daysAgo: 3 });
    await remember(town, [id], "invoice april", { daysAgo: 2 });
    await remember(town, [id], "invoice nothing", { hits: 0 });
    expect(await texts(town, token, "invo", "recent")).toEqual(["invoice april", "Invoice march"]);
    expect(await texts(town, token, "", "recent")).toEqual(["invoice april", "Invoice march"]);
    expect(await texts(town, token, "invoice m", "recent")).toEqual(["Invoice march"]);
    expect(await suggest(town, other.token, "invo")).toEqual([]);
    await town.backend.run(token, "search log off");
    expect(await suggest(town, token, "invo")).toEqual([]);
  });

  test("popular ones: five people, and only to whom they find something", async ({ town }) => {
    await town.put("/a.txt", "the pension plan of 2026");
    const viewer = await town.person("Vera", "viewer");
    const stranger = await town.tenant.addPerson("Stranger");
    const people = await addPeople(town, 5);
    await remember(town, people.slice(0, 4), "pension plan");
    await remember(town, people.slice(0, 1), "pension plan");
    await remember(town, await addPeople(town, 3, "service"), "pension plan");
    expect(await texts(town, viewer, "pen", "popular")).toEqual([]);
    await remember(town, people.slice(4), "pension plan", { daysAgo: 91 });
    expect(await texts(town, viewer, "pen", "popular")).toEqual([]);
    await remember(town, people.slice(4), "pension plan");
    expect(await texts(town, viewer, "pen", "popular")).toEqual(["pension plan"]);
    expect(await texts(town, viewer, "plan", "popular")).toEqual([]);
    expect(await texts(town, viewer, "", "popular")).toEqual([]);
    expect(await suggest(town, stranger.token, "pen")).toEqual([]);
    // Some of its words are not enough: what others look for would show.
    await remember(town, people, "pension cuts of the board");
    expect(await texts(town, viewer, "pen", "popular")).toEqual(["pension plan"]);
    // Operators and excluded words could name what the viewer cannot see, though there are hits.
    for (const query of [
      "pension -phoenix",
      "pension in:town in:/board-merger",
      "pension before:phoenix",
      "pension or phoenix",
    ])
      await remember(town, people, query);
    expect(await texts(town, viewer, "pen", "popular")).toEqual(["pension plan"]);
  });

  test("of people who turned the log off for everybody, none is kept or counted", async ({ town }) => {
    await town.put("/a.txt", "the pension plan");
    await remember(town, await addPeople(town, 5), "pension plan");
    expect(await texts(town, town.owner, "pen", "popular")).toEqual(["pension plan"]);
    await town.backend.run(town.tenant.token, "search log off --everybody");
    expect(await texts(town, town.owner, "pen", "popular")).toEqual([]);
  });
});

test.for([
  ["", 200],
  ["x".repeat(200), 200],
  ["x".repeat(201), 400],
  ['"', 200],
  ["in:/ -", 200],
  ["%_\\", 200],
] as const)("%s is answered with %i", async ([q, status], { town }) => {
  const answer = await town.backend.server.inject({
    method: "GET",
    url: "/api/v1/search/suggest",
    headers: { authorization: `Bearer ${town.owner}` },
    query: { q },
  });
  expect(answer.statusCode).toBe(status);
});

test("an unknown or repeated field is refused, and so is a caller without a credential", async ({ town }) => {
  const get = (url: string, token = town.owner) =>
    town.backend.server.inject({ method: "GET", url, headers: { authorization: `Bearer ${token}` } });
  expect((await get("/api/v1/search/suggest?q=a&limit=5")).statusCode).toBe(400);
  expect((await get("/api/v1/search/suggest?q=a&q=b")).statusCode).toBe(400);
  expect((await get("/api/v1/search/suggest?q=a", "nobody")).statusCode).toBe(401);
});

withMeaning("120 keystrokes call no model", async ({ town, embedder }) => {
  await town.put("/a.txt", "the automobile of a doctor in the rain");
  const typed = "car and doctor, rain or cash ".repeat(9).slice(0, 60);
  const { backend } = town;
  const headers = { authorization: `Bearer ${town.owner}` };
  for (let length = 1; length <= typed.length; length += 1) {
    const q = typed.slice(0, length).slice(-60);
    await suggest(town, town.owner, q);
    const answer = await backend.server.inject({
      method: "POST",
      url: "/api/v1/search",
      headers,
      payload: {
        query: q,
        searchContent: length % 2 === 0,
        typing: true,
        mode: length % 3 ? "auto" : "hybrid",
      },
    });
    expect(answer.statusCode).toBe(200);
  }
  expect(embedder.asked).toEqual([]);
});
