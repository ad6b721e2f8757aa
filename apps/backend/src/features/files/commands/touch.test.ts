import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("marks as changed now, and undo restores the old time", async ({ town }) => {
  await town.put("/a.txt", "one");
  const before = await town.run<{ updatedAt: string }>("files stat /a.txt");
  const { body } = await town.type("files touch /a.txt");
  const after = await town.run<{ updatedAt: string }>("files stat /a.txt");
  expect(after.updatedAt > before.updatedAt).toBe(true);
  await town.undo(body.operation);
  expect(await town.run("files stat /a.txt")).toMatchObject({ updatedAt: before.updatedAt });
});
