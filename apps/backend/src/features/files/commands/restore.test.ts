import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("restores to the old place, and undo moves it back to the trash", async ({ town }) => {
  await town.run("files mkdir /a");
  await town.put("/a/x.txt", "x");
  const { id } = await town.run<{ id: string }>("files delete /a/x.txt");
  const { body } = await town.type(`files restore ${id}`);
  expect(body.data).toMatchObject({ path: "/a/x.txt" });
  await town.undo(body.operation);
  expect(await town.tree()).toEqual(["/a/"]);
});

test("restores into another folder if the old one is gone, and follows the access list there", async ({
  town,
}) => {
  const viewer = await town.person("Viola", "viewer");
  await town.run("files mkdir /a");
  await town.run("files mkdir /safe");
  await town.run("access restrict /safe");
  await town.put("/a/x.txt", "x");
  const { id } = await town.run<{ id: string }>("files delete /a/x.txt");
  await town.run("files delete /a");
  expect((await town.type(`files restore ${id}`)).body.code).toBe("not_found");
  expect(await town.run(`files restore ${id} --into /safe`)).toMatchObject({ path: "/safe/x.txt" });
  expect(await town.as(viewer).tree()).toEqual([]);
});

test("does not find what is not in the trash or what the caller cannot see", async ({ town }) => {
  const stranger = await town.person("Stranger");
  await town.put("/x.txt", "x");
  const { id } = await town.run<{ id: string }>("files stat /x.txt");
  expect((await town.type(`files restore ${id}`)).body.code).toBe("not_found");
  await town.run("files delete /x.txt");
  expect((await town.as(stranger).type(`files restore ${id}`)).body.code).toBe("not_found");
});
