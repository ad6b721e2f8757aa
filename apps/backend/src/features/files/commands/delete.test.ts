import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("commits at once, hides everything below, and undo restores all of it", async ({ town }) => {
  await town.run("files mkdir /a");
  await town.put("/a/x.txt", "x");
  const { body } = await town.type("files delete /a");
  expect(body).toMatchObject({ committed: true, data: { path: "/a" } });
  expect(await town.tree()).toEqual([]);
  expect((await town.type("files cat /a/x.txt")).body.code).toBe("not_found");
  await town.undo(body.operation);
  expect(await town.cat("/a/x.txt")).toBe("x");
});

test("frees the name at once; undo then says that the name is taken", async ({ town }) => {
  await town.put("/x.txt", "old");
  const { body } = await town.type("files delete /x.txt");
  await town.put("/x.txt", "new");
  expect((await town.undo(body.operation)).body.code).toBe("conflict");
  expect(await town.cat("/x.txt")).toBe("new");
});

test("a viewer may not", async ({ town }) => {
  await town.put("/x.txt", "x");
  const viewer = await town.person("Viola", "viewer");
  expect((await town.as(viewer).type("files delete /x.txt")).body.code).toBe("not_permitted");
});
