import { sql } from "kysely";
import { expect } from "vitest";
import { ask, test, titles } from "../../../../testing/search-test.ts";

test("finds a new file immediately, by name and by text", async ({ town }) => {
  await town.put("/Q3_report-2025.final.pdf.txt", "The net revenue of the third quarter rose by 12 percent.");
  expect(titles(await ask(town, town.owner, "report"))).toEqual(["Q3_report-2025.final.pdf.txt"]);
  const answer = await ask(town, town.owner, "revenues quarter");
  expect(answer).toMatchObject({
    hits: [
      {
        entityType: "FILE",
        title: "Q3_report-2025.final.pdf.txt",
        path: "/Q3_report-2025.final.pdf.txt",
        matchedBy: ["fulltext"],
        snippetStart: 0,
      },
    ],
    total: { value: 1, relation: "eq" },
    semantic: { state: "off" },
  });
  expect(answer.hits[0]?.snippet?.filter(({ match }) => match).map(({ text }) => text)).toEqual([
    "revenue",
    "quarter",
  ]);
  expect(titles(await ask(town, town.owner, "revenue", { searchContent: false }))).toEqual([]);
});

test("says that a deployment without an embedder finds nothing by meaning, even if a workspace has semantic search", async ({
  town,
}) => {
  await town.backend.run(town.owner, ["workspaces", "update", town.slug, "--semantic-search", "on"]);
  await town.put("/a.txt", "apples");
  const semantic = { state: "off", embedded: 0, waiting: 0, reason: "no embedder" };
  expect(await ask(town, town.owner, "apples")).toMatchObject({ hits: [{ title: "a.txt" }], semantic });
  expect(await ask(town, town.owner, "apples", { mode: "semantic" })).toMatchObject({ hits: [], semantic });
});

test("finds folders and workspaces by name, and records if contents are searched", async ({ town }) => {
  await town.run("files mkdir /Contracts");
  await town.run(["collections", "create", "Customers", "--field", "name!:text", "--field", "city:text"]);
  await town.run([
    "records",
    "create",
    "customers",
    "--set",
    "name=Kontor Nord",
    "--set",
    "city=Bremerhaven",
  ]);
  expect(await ask(town, town.owner, "contract", { searchContent: false })).toMatchObject({
    hits: [{ entityType: "FOLDER", title: "Contracts", path: "/Contracts" }],
  });
  expect(await ask(town, town.owner, "town", { searchContent: false })).toMatchObject({
    hits: [{ entityType: "WORKSPACE", title: "Town" }],
  });
  expect(await ask(town, town.owner, "bremerhaven")).toMatchObject({
    hits: [{ entityType: "RECORD", title: "Kontor Nord", path: "Customers" }],
  });
  expect((await ask(town, town.owner, "kontor", { searchContent: false })).hits).toEqual([]);
});

test("ranks all words before some, and a name before a text", async ({ town }) => {
  await town.put("/one.txt", "apples grow in the garden");
  await town.put(
    "/both.txt",
    "apples and pears grow here, far from any town, among many other trees and bushes",
  );
  await town.put("/apples and pears.txt", "nothing of it");
  expect(titles(await ask(town, town.owner, "apples pears"))).toEqual([
    "apples and pears.txt",
    "both.txt",
    "one.txt",
  ]);
});

test("supports phrases, excluded words, types and places", async ({ town }) => {
  await town.run("files mkdir /in");
  await town.put("/in/a.md", "the quick brown fox");
  await town.put("/b.txt", "the brown quick fox");
  expect(titles(await ask(town, town.owner, '"quick brown"'))).toEqual(["a.md"]);
  expect(titles(await ask(town, town.owner, 'fox -"quick brown"'))).toEqual(["b.txt"]);
  expect(titles(await ask(town, town.owner, "fox type:md"))).toEqual(["a.md"]);
  expect(titles(await ask(town, town.owner, "fox -type:md"))).toEqual(["b.txt"]);
  expect(titles(await ask(town, town.owner, "fox in:/in"))).toEqual(["a.md"]);
  expect(titles(await ask(town, town.owner, "fox -in:/in"))).toEqual(["b.txt"]);
  expect(titles(await ask(town, town.owner, "fox in:town"))).toHaveLength(2);
  expect(titles(await ask(town, town.owner, "fox in:/nowhere"))).toEqual([]);
  expect(titles(await ask(town, town.owner, "type:md"))).toEqual(["a.md"]);
});

test("accepts an unfinished last word while somebody types", async ({ town }) => {
  await town.put("/Quarterly plan.txt", "invoices");
  const box = { searchContent: false, typing: true };
  expect(titles(await ask(town, town.owner, "quart", box))).toEqual(["Quarterly plan.txt"]);
  expect(titles(await ask(town, town.owner, "plan quart", box))).toEqual(["Quarterly plan.txt"]);
  expect(titles(await ask(town, town.owner, "quart ", box))).toEqual([]);
});

test.for([
  ["run", "RUNX1 gene.txt", "the gene RUNX1 is expressed in blood"],
  ["child", "Childhood.txt", "memories of a childhood"],
  ["1234", "1234567.txt", "invoice 1234567"],
  ["credit line", "Tallinn.txt", "Tallinn Linen sells linen"],
] as const)(
  "takes %s as finished words unless somebody types, and does not find %s",
  async ([query, name, text], { town }) => {
    await town.put(`/${name}`, text);
    expect(titles(await ask(town, town.owner, query, { correct: false }))).toEqual([]);
    const typed = ["search", "query", "--no-correct", query];
    const line = await town.backend.run<{ items: unknown[] }>(town.owner, typed);
    expect(line.items).toEqual([]);
    expect(titles(await ask(town, town.owner, query, { typing: true }))).toEqual([name]);
  },
);

test("ranks finished words before words that only begin like them, in names and in texts", async ({
  town,
}) => {
  await town.put("/1234567.txt", "numbers");
  await town.put("/1234.txt", "numbers");
  await town.put("/begun.txt", `1234567 ${"filler ".repeat(20)}`);
  await town.put("/whole.txt", `1234 ${"filler ".repeat(200)}`);
  const answer = await ask(town, town.owner, "1234", { typing: true, explain: true });
  expect(titles(answer)).toEqual(["1234.txt", "whole.txt", "1234567.txt", "begun.txt"]);
  expect(answer.hits.map(({ explain }) => explain?.level)).toEqual([
    "all words in its name",
    "all words",
    "all words, some of them in part",
    "all words, some of them in part",
  ]);
  expect(titles(await ask(town, town.owner, "1234"))).toEqual(["1234.txt", "whole.txt"]);
});

test("follows renames, moves, trash, restores and rights", async ({ town }) => {
  const viewer = await town.person("Vera", "viewer");
  await town.run("files mkdir /a");
  await town.run("files mkdir /a/b");
  await town.run("files mkdir /c");
  await town.put("/a/b/deep.txt", "zebra");
  const found = async (token = town.owner, query = "zebra") =>
    (await ask(town, token, query)).hits.map(({ path }) => path);
  expect(await found(viewer)).toEqual(["/a/b/deep.txt"]);
  await town.run("files rename /a/b/deep.txt shallow.txt");
  expect(await found(viewer, "shallow")).toEqual(["/a/b/shallow.txt"]);
  expect(await found(viewer, "deep")).toEqual([]);
  await town.run("files move /a /c");
  expect(await found(viewer)).toEqual(["/c/a/b/shallow.txt"]);
  const { operation } = (await town.type("files delete /c/a")).body;
  expect(await found()).toEqual([]);
  expect((await ask(town, town.owner, "zebra")).total.value).toBe(0);
  await town.undo(operation);
  expect(await found(viewer)).toEqual(["/c/a/b/shallow.txt"]);
  await town.run("access restrict /c/a");
  expect(await found(viewer)).toEqual([]);
  expect(await found()).toEqual(["/c/a/b/shallow.txt"]);
  await town.run(["access", "grant", "/c/a/b/shallow.txt", "Vera", "--role", "viewer"]);
  expect(await found(viewer)).toEqual(["/c/a/b/shallow.txt"]);
  // Folders on the way show their names, in a listing and here.
  expect(await found(viewer, "a")).toEqual(["/c/a"]);
  await town.run(["access", "revoke", "/c/a/b/shallow.txt", "Vera"]);
  expect(await found(viewer)).toEqual([]);
});

test("a page continues where the last one ended, while documents are added", async ({ town }) => {
  for (let index = 0; index < 7; index += 1)
    await town.put(`/note ${index}.txt`, `kiwi ${"filler ".repeat(index)}`);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const answer = await ask(town, town.owner, "kiwi", { limit: 3, ...(cursor ? { cursor } : {}) });
    seen.push(...titles(answer));
    cursor = answer.nextCursor;
    await town.put(`/late ${seen.length}.txt`, `kiwi ${"filler ".repeat(40)}`);
  } while (cursor && seen.length < 20);
  expect(seen.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 6].map((index) => `note ${index}.txt`));
  expect(new Set(seen).size).toBe(seen.length);
});

test("refuses a cursor of another search", async ({ town }) => {
  await town.put("/a.txt", "kiwi");
  await town.put("/b.txt", "kiwi");
  const { nextCursor } = await ask(town, town.owner, "kiwi", { limit: 1 });
  await expect(ask(town, town.owner, "lemon", { cursor: nextCursor })).rejects.toThrow(
    "belongs to another search",
  );
});

test("suggests an existing name if nothing is found", async ({ town }) => {
  await town.put("/Budget forecast.xlsx.txt", "x");
  const asTyped = { correct: false };
  expect((await ask(town, town.owner, "buget forcast", asTyped)).suggestions).toEqual([
    "Budget forecast.xlsx.txt",
  ]);
  const stranger = await town.person("Stranger");
  expect((await ask(town, stranger, "buget forcast", asTyped)).suggestions).toBeUndefined();
});

test("can be typed, too", async ({ town }) => {
  await town.put("/a.txt", "the quick brown fox");
  const { body } = await town.backend.type(town.owner, "search query quick fox", {
    request: { want: "text" },
  });
  expect(body.text).toMatch(
    /^town:\/a\.txt {2}\(file, file_\w+\)\n {4}the \[quick\] brown \[fox\]\n1 found$/,
  );
});

test("finds the name of a folder on the way only in its place", async ({ town }) => {
  const guest = await town.person("Gus");
  await town.run("files mkdir /vault");
  await town.run("files mkdir /vault/shelf");
  await town.put("/vault/shelf/one.txt", "zebra");
  await town.run(`access grant /vault/shelf/one.txt ${town.tenant.addressOf("Gus")} --role viewer`);
  await town.backend.run(town.tenant.token, "workspaces create Field");
  const { id } = await town.backend.run<{ id: string }>(town.tenant.token, "workspaces get field");
  const found = async (query: string, more = {}) =>
    (await ask(town, guest, query, more)).hits.map(({ title }) => title);
  expect(await found("shelf in:/vault ")).toEqual(["shelf"]);
  expect(await found("shelf -in:/vault ")).toEqual([]);
  expect(await found("town", { workspaceId: id })).toEqual([]);
  // Only a folder is a place, whatever access list a file has.
  expect(await found("zebra in:/vault/shelf/one.txt ")).toEqual([]);
});

test("with a wrong index, a page hides what it must, is full, and counts correctly", async ({ town }) => {
  const viewer = await town.person("Vera", "viewer");
  await town.run("files mkdir /secret");
  await town.run("access restrict /secret");
  for (let index = 0; index < 6; index += 1) {
    await town.put(`/secret/walrus ${index}.txt`, "kiwi");
    await town.put(`/open ${index}.txt`, `kiwi ${"filler ".repeat(index)}`);
  }
  // Claims that everybody in the workspace can read it.
  const { id } = town.tenant;
  await town.backend.database.withTenant({ tenantId: id, actorId: id }, "write", ({ db }) =>
    sql`update app.search_place set acl_scope_id = workspace_id`.execute(db),
  );
  const all = await ask(town, viewer, "kiwi");
  expect(titles(all)).toEqual([0, 1, 2, 3, 4, 5].map((index) => `open ${index}.txt`));
  expect(all.total).toEqual({ value: 6, relation: "eq" });
  const first = await ask(town, viewer, "kiwi", { limit: 4 });
  expect(titles(first)).toHaveLength(4);
  expect(titles(await ask(town, viewer, "kiwi", { limit: 4, cursor: first.nextCursor }))).toHaveLength(2);
  const hidden = await ask(town, viewer, "secrt");
  expect([hidden.suggestions, hidden.corrections]).toEqual([undefined, undefined]);
  expect((await ask(town, town.owner, "secrt", { correct: false })).suggestions).toEqual(["secret"]);
});

test("with an index that shows everything, only what can be read is found", async ({ town }) => {
  const guest = await town.person("Gus");
  await town.run("files mkdir /open");
  await town.put("/open/kiwi.txt", "fruit");
  await town.put("/kiwi plan.txt", "fruit");
  await town.run(["collections", "create", "Fruits", "--field", "name!:text"]);
  await town.run(["records", "create", "fruits", "--set", "name=Kiwi"]);
  await town.backend.run(town.owner, ["workspaces", "create", "Kiwi cellar"]);
  await town.run(["access", "grant", "/open", town.tenant.addressOf("Gus"), "--role", "viewer"]);
  const { id } = town.tenant;
  await town.backend.database.withTenant({ tenantId: id, actorId: id }, "write", ({ db }) =>
    sql`
      update app.search_place as place set workspace_id = node.workspace_id, acl_scope_id = node.acl_scope_id
      from app.node where node.name = 'open'`.execute(db),
  );
  expect(titles(await ask(town, guest, "kiwi"))).toEqual(["kiwi.txt"]);
  expect(new Set(titles(await ask(town, town.owner, "kiwi")))).toEqual(
    new Set(["kiwi.txt", "kiwi plan.txt", "Kiwi", "Kiwi cellar"]),
  );
});

test("an empty page still shows the total", async ({ town }) => {
  await town.put("/a.txt", "kiwi");
  await town.put("/b.txt", "kiwi filler filler filler");
  const { nextCursor } = await ask(town, town.owner, "kiwi", { limit: 1 });
  await town.run("files delete /b.txt");
  const { hits, total } = await ask(town, town.owner, "kiwi", { limit: 1, cursor: nextCursor });
  expect([hits, total.value]).toEqual([[], 1]);
});

test("a changed cursor is refused, or changes only the order", async ({ town }) => {
  await town.put("/a.txt", "kiwi");
  await town.put("/b.txt", "kiwi");
  const { nextCursor = "" } = await ask(town, town.owner, "kiwi", { limit: 1 });
  const cursor = JSON.parse(Buffer.from(nextCursor, "base64url").toString());
  const changed = (part: object) =>
    ask(town, town.owner, "kiwi", {
      limit: 1,
      cursor: Buffer.from(JSON.stringify({ ...cursor, ...part })).toString("base64url"),
    });
  await expect(changed({ level: 2 ** 31 })).rejects.toThrow("belongs to another search");
  expect((await changed({ now: "9999-12-31T23:59:59Z" })).total.value).toBe(2);
  expect((await changed({ now: "0000-01-01T00:00:00Z" })).total.value).toBe(2);
  for (const also of ["", "ki\0wi", "\ud800", "kiwi & 'b"])
    await expect(changed({ corrections: [{ word: "kiwi", also: [also] }] })).rejects.toThrow(
      "another search",
    );
  expect((await changed({ corrections: [{ word: "kiwi", also: ["pear"] }] })).hits).toEqual([]);
});

test("refuses an invalid day", async ({ town }) => {
  const line = (day: string) =>
    town.backend.type(town.owner, ["search", "query", "a", "--updated-after", day]);
  expect((await line("yesterday")).status).toBe(400);
  expect((await line("2026-01-31")).status).toBe(200);
  expect((await line("2026-01-31T10:00:00+02:00")).status).toBe(200);
});

test("hidden names do not displace suggestions", async ({ town }) => {
  const viewer = await town.person("Vera", "viewer");
  await town.run("files mkdir /secret");
  await town.run("access restrict /secret");
  for (let index = 0; index < 5; index += 1) await town.put(`/secret/Budget forecast ${index}.txt`, "x");
  await town.put("/Budget forecast of last year.txt", "x");
  expect((await ask(town, viewer, "buget forcast", { correct: false })).suggestions).toEqual([
    "Budget forecast of last year.txt",
  ]);
});

test("a stop word or one character of a longer word ranks, but makes no hit", async ({ town }) => {
  await town.put("/請求書.txt", "六月分");
  await town.put("/検査成績書.txt", "合格");
  await town.put("/The minutes.txt", "approved");
  await town.put("/Budget.txt", "approved");
  expect(titles(await ask(town, town.owner, "請求書"))).toEqual(["請求書.txt"]);
  expect(titles(await ask(town, town.owner, "the budget"))).toEqual(["Budget.txt"]);
  expect(titles(await ask(town, town.owner, "the"))).toEqual(["The minutes.txt"]);
});

test("a longer word that begins with the last word counts less than the word itself, however often it occurs", async ({
  town,
}) => {
  await town.put(
    "/many.txt",
    "reporter reported reporters reportage reporting reportedly reports, all of them",
  );
  await town.put("/word.txt", "a rep told us something else that is about as long as the other text is");
  expect(titles(await ask(town, town.owner, "rep", { typing: true }))).toEqual(["word.txt", "many.txt"]);
});
