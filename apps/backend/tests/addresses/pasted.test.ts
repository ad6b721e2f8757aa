import { expect } from "vitest";
import { test as filesTest } from "../../testing/files-test.ts";

const test = filesTest.extend<{
  /** What the owner of the town reads when they type a line there. */
  read: (line: string[], options?: { workspace?: string }) => Promise<string>;
}>({
  read: async ({ town, backend }, use) => {
    await backend.run(town.owner, ["workspaces", "create", "営業"]);
    await backend.run(town.owner, ["files", "mkdir", "営業:/reports"]);
    await backend.send(town.owner, ["files", "put", "./q3.md", "営業:/reports/"], "net revenue of tea");
    const field = ["--field", "name!:text", "--workspace", "営業"];
    await backend.run(town.owner, ["collections", "create", "Customers", ...field]);
    await backend.run(town.owner, ["records", "create", "営業:customers", "--set", "name=Revenue House"]);
    await use(async (line, { workspace = town.slug } = {}) => {
      const request = { want: "text" as const, workspace };
      const { status, body } = await backend.type(town.owner, line, { request });
      return status === 200 ? (body.text ?? "") : `${body.code}: ${body.detail} ${body.hint}`;
    });
  },
});

test("a hit in another workspace is printed so that it opens when pasted", async ({ town, read }) => {
  await town.put("/own.md", "revenue at home");
  const found = await read(["search", "query", "revenue"]);
  const [file = ""] = /^.*q3\.md/m.exec(found) ?? [];
  expect(file).toBe("営業:/reports/q3.md");
  expect(await read(["files", "stat", file])).toMatch(/^営業:\/reports\/q3\.md\n/);
  const [, collection = ""] = /record of (.*),/.exec(found) ?? [];
  expect(collection).toBe("営業:Customers");
  expect(await read(["records", "list", collection])).toContain("Revenue House");
  // In its own workspace, a path is bare.
  expect(found).toMatch(/^\/own\.md/m);
});

test.for(["営業", "id"])(
  "a call in that workspace, by %s, prints bare paths",
  async (named, { town, read }) => {
    const { id } = await town.backend.run<{ id: string }>(town.owner, ["workspaces", "get", "営業"]);
    const found = await read(["search", "query", "revenue"], { workspace: named === "id" ? id : named });
    expect(found).toMatch(/^\/reports\/q3\.md/m);
    expect(found).toContain("record of Customers,");
  },
);

test("data has the same paths in every workspace", async ({ town, backend, read }) => {
  expect(await read(["files", "stat", "営業:/reports/q3.md"])).toContain("営業:");
  for (const workspace of [town.slug, "営業"]) {
    const { body } = await backend.type(town.owner, ["search", "query", "revenue"], {
      request: { workspace },
    });
    const { items } = body.data as { items: { path: string }[] };
    expect(items.map(({ path }) => path).sort()).toEqual(["/reports/q3.md", "Customers"]);
    expect(
      await backend.run(town.owner, ["files", "find", "営業:/", "--name", "*.md", "--workspace", workspace]),
    ).toMatchObject({ items: [{ path: "/reports/q3.md" }] });
  }
});

test("every line that prints a path prints one that opens", async ({ town, backend, read }) => {
  const { id } = await backend.run<{ id: string }>(town.owner, ["files", "stat", "営業:/reports/q3.md"]);
  expect(await read(["files", "find", "営業:/"])).toContain("営業:/reports/q3.md");
  expect(await read(["files", "du", "営業:/"])).toContain("営業:/reports");
  expect(await read(["files", "tree", "営業:/reports"])).toMatch(/^営業:\/reports\n/);
  // By id too.
  expect(await read(["files", "stat", id])).toMatch(/^営業:\/reports\/q3\.md\n/);
  expect(await read(["files", "touch", id])).toContain("営業:/reports/q3.md changed");
  expect(await read(["files", "mkdir", "営業:/new"])).toContain("Created folder 営業:/new\n");
  expect(await read(["files", "rename", "営業:/new", "newer"])).toContain("Renamed 営業:/new to newer");
  expect(await read(["files", "move", "営業:/newer", "営業:/reports/"])).toContain(
    "Moved 営業:/newer to 営業:/reports/newer",
  );
  expect(await read(["files", "copy", id, "/here.md"])).toContain(
    "Copied 営業:/reports/q3.md to /here.md (1 file)",
  );
  expect(await read(["files", "copy", "/here.md", "営業:/there.md"])).toContain(
    "Copied /here.md to 営業:/there.md",
  );
  expect(await read(["access", "check", "営業:/reports/q3.md"])).toContain("of 営業:/reports/q3.md");
  expect(await read(["access", "restrict", "営業:/reports"])).toContain("営業:/reports is restricted");
  const deleted = await backend.run<{ id: string }>(town.owner, ["files", "delete", "営業:/there.md"]);
  expect(await read(["files", "restore", deleted.id])).toContain("Restored 営業:/there.md");
  expect(await read(["files", "delete", "営業:/there.md"])).toContain("Moved 営業:/there.md to the trash");
});

test("an upload prints where it went", async ({ town, backend, read }) => {
  expect(await read(["files", "list", "営業:/"])).toContain("reports");
  const line = ["files", "put", "./a", "./b", "営業:/reports/", "--workspace", town.slug];
  const request = { want: "text" as const };
  const several = await backend.sendSources(town.owner, line, () => "content", request);
  expect(several.body.text).toMatch(/^Put 営業:\/reports\/a .*\nPut 営業:\/reports\/b /);
  const sync = ["files", "sync", "./site", "営業:/web/site/", "--parents", "--workspace", town.slug];
  const synced = await backend.sendFolder(town.owner, sync, { "index.html": "tea" }, request);
  expect(synced.body.text).toContain("Synced 営業:/web/site (2 new)");
  const root = ["files", "sync", "./site", "営業:/", "--workspace", town.slug];
  const whole = await backend.sendFolder(town.owner, root, { "index.html": "tea" }, request);
  expect(whole.body.text).toContain("Synced 営業:/ (1 new, 7 kept)");
});

test("a preview names the workspace in its changes, and programs get plain paths", async ({
  town,
  backend,
  read,
}) => {
  const line = ["files", "move", "営業:/reports/q3.md", "営業:/q3.md", "--dry-run"];
  expect(await read(line)).toContain(
    'update file "営業:/reports/q3.md": path "営業:/reports/q3.md" → "営業:/q3.md"',
  );
  const { body } = await backend.type(town.owner, line);
  expect(body.preview?.changes).toMatchObject([{ name: "/reports/q3.md", after: { path: "/q3.md" } }]);
});

test("messages and their hints carry the workspace", async ({ town, backend, read }) => {
  const viewer = await town.tenant.addPerson("Vic");
  const role = ["--role", "viewer", "--workspace", "営業"];
  await backend.run(town.owner, ["members", "add", town.tenant.addressOf("Vic"), ...role]);
  const { body } = await backend.type(viewer.token, ["files", "touch", "営業:/reports/q3.md"]);
  expect(body.hint).toBe("Run `svc access show 営業:/reports/q3.md` to see who has access.");
  expect((await backend.type(viewer.token, ["access", "show", "営業:/reports/q3.md"])).status).toBe(200);
  expect(await read(["files", "list", "営業:/reports/q3.md"])).toContain("営業:/reports/q3.md is a file");
  expect(await read(["files", "stat", "営業:/nothing"])).toContain("`営業:/nothing` does not exist");
  expect(await read(["files", "mkdir", "営業:/no/thing"])).toContain("`営業:/no` does not exist");
  expect(await read(["files", "stat", "営業:reports"])).toContain("write `営業:/reports`");
});

test("moving to another workspace is refused, and names both", async ({ town, read }) => {
  await town.put("/own.md", "mine");
  const refusal = "You cannot move files from `town` to another workspace, `営業`.";
  expect(await read(["files", "move", "/own.md", "営業:/"])).toContain(refusal);
  expect(await read(["files", "move", "営業:/reports", "/"])).toContain(
    "from `営業` to another workspace, `town`",
  );
});

test("a retry of a call prints what the first one printed", async ({ town, backend, read }) => {
  expect(await read(["files", "tree", "営業:/"])).toContain("営業:/");
  const headers = { "idempotency-key": "0192f0c1-7a3b-7c44-8d55-0123456789ab" };
  const mkdir = (want: "text" | "data") => {
    const request = { want, workspace: town.slug };
    return backend.type(town.owner, ["files", "mkdir", "営業:/once"], { request, headers });
  };
  const [first, second, asData] = [await mkdir("text"), await mkdir("text"), await mkdir("data")];
  expect(second.headers["idempotency-replayed"]).toBe("true");
  expect(second.body.text).toBe(first.body.text);
  expect(first.body.text).toContain("営業:/once");
  expect(asData.body.data).toMatchObject({ path: "/once" });
});

test("in: takes a path in one workspace", async ({ town, backend, read }) => {
  await town.run("files mkdir /reports");
  await town.put("/reports/home.md", "revenue at home");
  const both = await read(["search", "query", "in:/reports revenue"]);
  expect(both).toContain("q3.md");
  expect(both).toContain("home.md");
  const { id } = await backend.run<{ id: string }>(town.owner, ["workspaces", "get", "営業"]);
  for (const workspace of ["営業", id]) {
    const one = await read(["search", "query", `in:${workspace}:/reports revenue`]);
    expect(one).toContain("q3.md");
    expect(one).not.toContain("home.md");
  }
  expect(await read(["search", "query", "-in:営業:/reports revenue"])).not.toContain("q3.md");
  const stranger = await town.person("Stranger", "viewer");
  const hidden = await backend.run(stranger, ["search", "query", "in:営業:/reports revenue"]);
  expect(hidden).toMatchObject({ items: [], total: { value: 0 } });
});

test("access lists of collections are named with their workspace", async ({ read }) => {
  expect(await read(["access", "check", "collection:営業:customers"])).toContain("is owner of Customers");
});

test("two visible workspaces with one slug are printed by id; a hidden namesake changes nothing", async ({
  town,
  backend,
  read,
}) => {
  const twin = await town.tenant.addPerson("Twin");
  const { id } = await backend.run<{ id: string }>(twin.token, ["workspaces", "create", "営業"]);
  await backend.send(twin.token, ["files", "put", "./twin.md", `${id}:/`], "revenue of the twin");
  expect(await read(["search", "query", "revenue"])).toMatch(/^営業:\/reports\/q3\.md/m);
  const share = ["members", "add", town.tenant.addressOf("Owner of Town"), "--workspace", id];
  await backend.run(twin.token, share);
  const found = await read(["search", "query", "revenue"]);
  expect(found).not.toMatch(/^営業:/m);
  const printed = [...found.matchAll(/^(ws_\w+:\/\S+)/gm)].map(([, address = ""]) => address);
  expect(printed).toHaveLength(2);
  for (const address of printed) {
    expect(await read(["files", "stat", address])).toContain(`${address}\n`);
  }
});
