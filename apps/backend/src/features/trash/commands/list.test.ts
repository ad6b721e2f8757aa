import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("shows deleted files and folders, newest first, page by page, to people who can see them", async ({
  town,
}) => {
  await town.run("files mkdir /a");
  await town.put("/a/inside.txt", "x");
  await town.put("/b.txt", "y");
  await town.run("files delete /a");
  await town.run("files delete /b.txt");
  const first = await town.run<{ items: object[]; nextCursor: string }>("trash list -n 1");
  expect(first.items).toMatchObject([{ name: "b.txt" }]);
  const second = await town.run<{ items: object[] }>(["trash", "list", "--cursor", first.nextCursor]);
  expect(second.items).toMatchObject([{ name: "a", kind: "folder" }]);
  const stranger = await town.person("Stranger");
  expect((await town.as(stranger).type("trash list")).body.code).toBe("not_found");
});

test("refuses an invalid cursor", async ({ town }) => {
  expect((await town.type("trash list --cursor nonsense")).body.code).toBe("invalid_arguments");
});
