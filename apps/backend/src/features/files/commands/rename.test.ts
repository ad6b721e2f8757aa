import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("changes the name in place, keeps the id, and undo restores the old name", async ({ town }) => {
  await town.run("files mkdir /a");
  const { body } = await town.put("/a/x.txt", "x");
  const { id } = body.data as { id: string };
  const renamed = await town.type("files rename /a/x.txt Y.txt");
  expect(renamed.body.data).toMatchObject({ id, path: "/a/Y.txt", from: "/a/x.txt" });
  await town.undo(renamed.body.operation);
  expect(await town.tree()).toEqual(["/a/", "/a/x.txt"]);
});

test("refuses a name that is taken, contains a path, or is not a name", async ({ town }) => {
  await town.put("/x.txt", "x");
  await town.put("/y.txt", "y");
  for (const [name, code] of [
    ["y.txt", "conflict"],
    ["x.txt", "conflict"],
    ["a/b", "invalid_arguments"],
    ["..", "invalid_arguments"],
  ]) {
    const { body } = await town.type(["files", "rename", "/x.txt", name ?? ""]);
    expect(body.code, name).toBe(code);
  }
});
