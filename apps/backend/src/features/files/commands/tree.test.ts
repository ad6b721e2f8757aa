import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("shows everything below, down to the given depth, parents before children", async ({ town }) => {
  for (const folder of ["/a", "/a/b", "/a/b/c"]) await town.run(["files", "mkdir", folder]);
  await town.put("/a/x.txt", "x");
  expect(await town.tree()).toEqual(["/a/", "/a/b/", "/a/b/c/", "/a/x.txt"]);
  const { nodes } = await town.run<{ nodes: { path: string }[] }>("files tree --depth 1");
  expect(nodes.map(({ path }) => path)).toEqual(["/a"]);
});

test("starts at a folder named by its id, and leaves out the trash", async ({ town }) => {
  const { id } = await town.run<{ id: string }>("files mkdir /a");
  await town.put("/a/x.txt", "x");
  await town.put("/a/y.txt", "y");
  await town.run("files delete /a/x.txt");
  expect(await town.tree(id)).toEqual(["/a/y.txt"]);
});
