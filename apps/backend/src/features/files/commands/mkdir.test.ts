import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("creates a folder where its parent is, and undo takes it away", async ({ town }) => {
  await town.run("files mkdir /a");
  const { body } = await town.type(town.owner, "files mkdir /a/b");
  expect(await town.tree()).toEqual(["/a/", "/a/b/"]);
  await town.undo(body.operation);
  expect(await town.tree()).toEqual(["/a/"]);
});

test("a name that is taken is a conflict, also where it is taken at the same moment", async ({ town }) => {
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => town.type(town.owner, "files mkdir /same")),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
});
