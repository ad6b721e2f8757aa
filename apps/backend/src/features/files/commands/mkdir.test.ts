import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("creates a folder in an existing parent, and undo removes it", async ({ town }) => {
  await town.run("files mkdir /a");
  const { body } = await town.type("files mkdir /a/b");
  expect(await town.tree()).toEqual(["/a/", "/a/b/"]);
  await town.undo(body.operation);
  expect(await town.tree()).toEqual(["/a/"]);
});

test("a name that is taken is a conflict, even if two callers take it at the same time", async ({ town }) => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => town.type("files mkdir /same")));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
});
