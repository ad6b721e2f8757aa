import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test.beforeEach(async ({ town }) => {
  for (const folder of ["/a", "/a/deep", "/b"]) await town.run(["files", "mkdir", folder]);
  await town.put("/a/deep/x.txt", "x");
});

test("into a folder that is there, with all below it, and undo brings it back", async ({ town }) => {
  const { body } = await town.type(town.owner, "files move /a /b");
  expect(body.data).toMatchObject({ from: "/a", path: "/b/a" });
  expect(await town.tree()).toEqual(["/b/", "/b/a/", "/b/a/deep/", "/b/a/deep/x.txt"]);
  await town.undo(body.operation);
  expect(await town.tree()).toEqual(["/a/", "/a/deep/", "/a/deep/x.txt", "/b/"]);
});

test("to a new name where nothing is there", async ({ town }) => {
  await town.run("files move /a/deep/x.txt /b/y.txt");
  expect(await town.tree(town.owner, "/b")).toEqual(["/b/y.txt"]);
});

test("not into itself, not over what is there, not into a folder that is missing", async ({ town }) => {
  await town.put("/b/deep", "a file of that name");
  for (const [line, code] of [
    ["files move /a /a/deep", "conflict"],
    ["files move /a/deep /b", "conflict"],
    ["files move /a /c/", "not_found"],
    ["files move / /b", "usage"],
  ]) {
    expect((await town.type(town.owner, line ?? "")).body.code, line).toBe(code);
  }
});

test("what is moved follows the list of its new place, and its own list goes with it", async ({ town }) => {
  const viewer = await town.person("Viola", "viewer");
  const guest = await town.person("Gus");
  await town.run("access restrict /b");
  await town.run(`access grant /a/deep ${town.tenant.addressOf("Gus")}`);
  await town.run("files move /a /b");
  expect(await town.tree(viewer)).toEqual([]);
  expect(await town.tree(guest)).toEqual(["/b/", "/b/a/", "/b/a/deep/", "/b/a/deep/x.txt"]);
});

test("a folder with a list of its own inherits from where it is moved to", async ({ town }) => {
  const viewer = await town.person("Viola", "viewer");
  await town.person("Gus");
  await town.run("access restrict /b");
  await town.run(`access grant /a ${town.tenant.addressOf("Gus")}`);
  await town.run("files move /a /b");
  expect(await town.tree(viewer)).toEqual([]);
});

test("two moves at once never make a circle", async ({ town }) => {
  for (let round = 0; round < 5; round += 1) {
    await town.run(["files", "mkdir", `/p${round}`]);
    await town.run(["files", "mkdir", `/q${round}`]);
    await Promise.all([
      town.type(town.owner, `files move /p${round} /q${round}`),
      town.type(town.owner, `files move /q${round} /p${round}`),
    ]);
    const seen = (await town.tree()).filter(
      (path) => /\/[pq]\d\/$/.test(path) && path.includes(String(round)),
    );
    expect(seen).toHaveLength(2);
  }
});
