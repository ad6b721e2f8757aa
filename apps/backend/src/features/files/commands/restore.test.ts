import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("brings something back to where it was, and undo puts it into the trash again", async ({ town }) => {
  await town.run("files mkdir /a");
  await town.put("/a/x.txt", "x");
  const { id } = await town.run<{ id: string }>("files delete /a/x.txt");
  const { body } = await town.type(town.owner, `files restore ${id}`);
  expect(body.data).toMatchObject({ path: "/a/x.txt" });
  await town.undo(body.operation);
  expect(await town.tree()).toEqual(["/a/"]);
});

test("into another folder where its own is gone, and it follows the list there", async ({ town }) => {
  const viewer = await town.person("Viola", "viewer");
  await town.run("files mkdir /a");
  await town.run("files mkdir /safe");
  await town.run("access restrict /safe");
  await town.put("/a/x.txt", "x");
  const { id } = await town.run<{ id: string }>("files delete /a/x.txt");
  await town.run("files delete /a");
  expect((await town.type(town.owner, `files restore ${id}`)).body.code).toBe("not_found");
  expect(await town.run(`files restore ${id} --into /safe`)).toMatchObject({ path: "/safe/x.txt" });
  expect(await town.tree(viewer)).toEqual([]);
});

test("what is not in the trash, or not his to see, is not found", async ({ town }) => {
  const stranger = await town.person("Stranger");
  await town.put("/x.txt", "x");
  const { id } = await town.run<{ id: string }>("files stat /x.txt");
  expect((await town.type(town.owner, `files restore ${id}`)).body.code).toBe("not_found");
  await town.run("files delete /x.txt");
  expect((await town.type(stranger, `files restore ${id}`)).body.code).toBe("not_found");
});
