import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("copies a folder with everything below it, sharing contents and keeping texts", async ({ town }) => {
  await town.run("files mkdir /a");
  await town.put("/a/x.txt", "x");
  await town.run("files mkdir /a/empty");
  const { body } = await town.type("files copy /a /copy");
  expect(body.data).toMatchObject({ from: "/a", path: "/copy", files: 1 });
  expect(await town.tree("/copy")).toEqual(["/copy/empty/", "/copy/x.txt"]);
  await town.put("/copy/x.txt", "changed");
  expect(await town.cat("/a/x.txt")).toBe("x");
  expect(await town.cat("/copy/x.txt")).toBe("changed");
});

test("a folder can be copied into itself once, and undo removes the copy", async ({ town }) => {
  await town.run("files mkdir /a");
  await town.put("/a/x.txt", "x");
  const { body } = await town.type("files copy /a /a/copy");
  expect(await town.tree()).toEqual(["/a/", "/a/copy/", "/a/copy/x.txt", "/a/x.txt"]);
  await town.undo(body.operation);
  expect(await town.tree()).toEqual(["/a/", "/a/x.txt"]);
});

test("leaves out what the caller cannot see, and follows the access list of its new folder", async ({
  town,
}) => {
  await town.run("files mkdir /a");
  await town.run("files mkdir /a/board");
  await town.put("/a/board/secret.txt", "secret");
  await town.put("/a/x.txt", "x");
  await town.run("access restrict /a/board");
  const editor = await town.person("Ed", "editor");
  await town.as(editor).run("files copy /a /copy");
  expect(await town.tree()).toContain("/copy/x.txt");
  expect(await town.tree()).not.toContain("/copy/board/");
});
