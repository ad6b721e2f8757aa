import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test.beforeEach(async ({ town }) => {
  for (const folder of ["/a", "/a/deep", "/b"]) await town.run(["files", "mkdir", folder]);
  await town.put("/a/deep/x.txt", "x");
});

test("moves into an existing folder with everything below it, and undo moves it back", async ({ town }) => {
  const { body } = await town.type("files move /a /b");
  expect(body.data).toMatchObject({ from: "/a", path: "/b/a" });
  expect(await town.tree()).toEqual(["/b/", "/b/a/", "/b/a/deep/", "/b/a/deep/x.txt"]);
  await town.undo(body.operation);
  expect(await town.tree()).toEqual(["/a/", "/a/deep/", "/a/deep/x.txt", "/b/"]);
});

test("moves to a new name if nothing has that name", async ({ town }) => {
  await town.run("files move /a/deep/x.txt /b/y.txt");
  expect(await town.tree("/b")).toEqual(["/b/y.txt"]);
});

test("refuses to move into itself, over something else, or into a missing folder", async ({ town }) => {
  await town.put("/b/deep", "a file of that name");
  for (const [line, code] of [
    ["files move /a /a/deep", "conflict"],
    ["files move /a/deep /b", "conflict"],
    ["files move /a /c/", "not_found"],
    ["files move / /b", "usage"],
  ]) {
    expect((await town.type(line ?? "")).body.code, line).toBe(code);
  }
});

test("a moved folder follows the access list of its new place and keeps its own", async ({ town }) => {
  const viewer = await town.person("Viola", "viewer");
  const guest = await town.person("Gus");
  await town.run("access restrict /b");
  await town.run(`access grant /a/deep ${town.tenant.addressOf("Gus")}`);
  await town.run("files move /a /b");
  expect(await town.as(viewer).tree()).toEqual([]);
  expect(await town.as(guest).tree()).toEqual(["/b/", "/b/a/", "/b/a/deep/", "/b/a/deep/x.txt"]);
});

test("a folder with its own access list inherits from where it is moved to", async ({ town }) => {
  const viewer = await town.person("Viola", "viewer");
  await town.person("Gus");
  await town.run("access restrict /b");
  await town.run(`access grant /a ${town.tenant.addressOf("Gus")}`);
  await town.run("files move /a /b");
  expect(await town.as(viewer).tree()).toEqual([]);
});

test("two concurrent moves never form a cycle", async ({ town }) => {
  for (let round = 0; round < 5; round += 1) {
    await town.run(["files", "mkdir", `/p${round}`]);
    await town.run(["files", "mkdir", `/q${round}`]);
    await Promise.all([
      town.type(`files move /p${round} /q${round}`),
      town.type(`files move /q${round} /p${round}`),
    ]);
    const seen = (await town.tree()).filter(
      (path) => /\/[pq]\d\/$/.test(path) && path.includes(String(round)),
    );
    expect(seen).toHaveLength(2);
  }
});
