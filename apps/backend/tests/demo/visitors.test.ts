import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect } from "vitest";
import { priced } from "../../src/platform/search/embedders.ts";
import { DemoWorld, TestVisitor, test } from "../../testing/demo/demo-test.ts";
import { ConceptEmbedder } from "../../testing/embedders/concept-embedder.ts";
import { titles } from "../../testing/search-test.ts";
import { TestBackend } from "../../testing/test-backend.ts";
import { asAdmin } from "../../testing/worker-test.ts";

const addresses = [
  ["POST", "/api/v1/demo/search"],
  ["POST", "/api/v1/demo/files"],
  ["GET", "/demo"],
  ["GET", "/demo/demo.js"],
  ["GET", "/demo/demo.css"],
] as const;

test("without its setting there is no demo, even in a marked tenant", async () => {
  const backend = await TestBackend.start();
  try {
    const { id } = await backend.addTenant();
    await backend.provision((provisioner) => provisioner.markDemo(id));
    for (const [method, url] of addresses)
      expect((await backend.server.inject({ method, url })).statusCode, url).toBe(404);
  } finally {
    await backend.close();
  }
});

test("without a marked tenant nobody gets in", async () => {
  const backend = await TestBackend.start({
    demo: { visitors: 10, visitorsPerAddress: 10, ratePerAddress: 100 },
  });
  try {
    await backend.addTenant();
    expect(await new TestVisitor(backend).search("tea")).toMatchObject({
      status: 503,
      body: { detail: "The demo has not been set up yet." },
    });
  } finally {
    await backend.close();
  }
});

test("the contract has its addresses, and is valid", async ({ world }) => {
  const document = (await world.backend.server.inject({ method: "GET", url: "/openapi.json" })).json();
  expect(Object.keys(document.paths).filter((path) => path.includes("/demo/"))).toEqual([
    "/api/v1/demo/search",
    "/api/v1/demo/files",
  ]);
  expect(await new Validator().validate(document)).toEqual({ valid: true });
});

test("a visitor gets a cookie that only the demo's own page can send", async ({ world }) => {
  const visitor = new TestVisitor(world.backend);
  const { headers } = await visitor.search("tea");
  expect(headers["set-cookie"]).toMatch(
    /^svc_demo=[0-9A-Za-z]{43}; Path=\/api\/v1\/demo; Max-Age=7200; HttpOnly; Secure; SameSite=Strict$/,
  );
  expect((await visitor.search("tea")).headers["set-cookie"]).toBeUndefined();
  expect((await visitor.search("tea")).headers["cache-control"]).toBe("no-store");
});

test("visitors find what their group can see, and nothing else", async ({ world }) => {
  const visitor = await world.visitor();
  expect(titles((await visitor.search("tea")).body)).toEqual(["tea.txt"]);
  expect(titles((await visitor.search("mountains")).body)).toEqual(["tea.txt"]);
  expect(titles((await visitor.search("secret")).body)).toEqual([]);
});

test("only the visitor finds what they uploaded, in its text and its name", async ({ world }) => {
  const [visitor, other] = [await world.visitor(), await world.visitor()];
  expect(await visitor.upload("Über mich.txt", "a zebra in pyjamas")).toMatchObject({
    status: 201,
    body: { name: "Über mich.txt", size: 18, text: "ok", filesLeft: 4 },
  });
  expect(titles((await visitor.search("pyjamas zebra")).body)).toEqual(["Über mich.txt"]);
  expect(titles((await visitor.search("über")).body)).toEqual(["Über mich.txt"]);
  for (const query of ["pyjamas", "zebra", "über mich", "in:your-files zebra"])
    expect((await other.search(query)).body, query).toMatchObject({ hits: [], total: { value: 0 } });
  const { hits } = (await visitor.search("zebra")).body;
  const [hit] = hits as unknown as [{ workspaceId: string }];
  expect((await other.search("zebra", { workspaceId: hit.workspaceId })).body.hits).toEqual([]);
  expect((await other.search("zebra", { folderId: hit.workspaceId })).body.hits).toEqual([]);
  // Nor do the people of the sample company, who share no list with visitors.
  const { body } = await world.backend.type(world.town.owner, "search query zebra");
  expect((body.data as { items: unknown[] }).items).toEqual([]);
});

test("a guessed, changed or foreign secret is a new visitor", async ({ world }) => {
  const visitor = await world.visitor();
  await visitor.upload("mine.txt", "a walrus");
  const { secret = "" } = visitor;
  for (const guess of [
    secret.toLowerCase(),
    `${secret.slice(0, -1)}${secret.endsWith("a") ? "b" : "a"}`,
    "x",
  ]) {
    const other = new TestVisitor(world.backend);
    other.secret = guess;
    const { body, headers } = await other.search("walrus");
    expect([body.hits, typeof headers["set-cookie"]]).toEqual([[], "string"]);
  }
});

describe("files", () => {
  test("five and no more, also at the same time", async ({ world }) => {
    const visitor = await world.visitor();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, number) => visitor.upload(`${number}.txt`, `file ${number}`)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    expect((await visitor.upload("one-more.txt", "x")).body.detail).toBe(
      "You have uploaded 5 files, which is all that the demo takes.",
    );
  });

  test("one that could not be stored does not count", async ({ world }) => {
    const visitor = await world.visitor();
    for (const name of ["a/..", "..", ".", "", "x".repeat(256)])
      expect((await visitor.upload(name, "x")).status, name).toBe(400);
    expect((await visitor.upload("bad\u0000name.txt", "x")).status).toBe(400);
    expect((await visitor.upload("good.txt", "x")).body.filesLeft).toBe(4);
  });

  test("not more than 2 MB", async ({ world }) => {
    const visitor = await world.visitor();
    expect((await visitor.upload("large.bin", Buffer.alloc(2_000_001))).status).toBe(413);
    expect((await visitor.upload("full.bin", Buffer.alloc(2_000_000))).status).toBe(201);
  });

  test("a path is only a name", async ({ world }) => {
    const visitor = await world.visitor();
    await visitor.upload("../../town/intruder.txt", "intruder");
    const { hits } = (await visitor.search("intruder")).body;
    expect(hits.map(({ path }) => path)).toEqual(["/intruder.txt"]);
    expect(await world.town.tree()).not.toContain("/intruder.txt");
  });
});

test("what visitors look for is not kept", async ({ world }) => {
  const visitor = await world.visitor();
  await visitor.search("an unusual query");
  // Queries are written in batches, in order: when this one is there, the one before would be, too.
  await world.backend.type(world.town.owner, ["search", "query", "a query of the owner"]);
  const kept = () =>
    asAdmin(world, async (admin) => {
      const { rows } = await admin.query<{ query: string }>("select query from app.search_query");
      return rows.map(({ query }) => query);
    });
  await expect.poll(kept).toContain("a query of the owner");
  expect(await kept()).not.toContain("an unusual query");
});

test("no model is called for visitors, whatever they ask for", async () => {
  const embedder = new ConceptEmbedder();
  const world = await DemoWorld.build({}, { embedders: [priced(embedder, "0")] });
  try {
    await world.backend.run(world.town.owner, "workspaces update town --semantic-search on");
    const visitor = await world.visitor();
    await visitor.upload("car.txt", "an automobile");
    for (const mode of ["auto", "hybrid", "semantic", "fulltext"])
      expect((await visitor.search("green tea of a doctor", { mode })).body.semantic.state).toBe("off");
    expect(embedder.asked).toEqual([]);
  } finally {
    await world.backend.close();
  }
});
