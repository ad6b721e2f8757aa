import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("an undo counts everything below, and names the first hundred, parents first", async ({ town }) => {
  const folders = Array.from({ length: 60 }, (_, number) => `/a/${String(number).padStart(2, "0")}`);
  const lines = [
    "files mkdir /a",
    ...folders.flatMap((path) => [path, `${path}/in`].map((one) => `files mkdir ${one}`)),
  ];
  await town.run(["batch", "run", ...lines]);
  await town.put("/a/00/in/x.txt", "x");
  const { body } = await town.type("files copy /a /copy");

  const previewed = await town.type(`undo ${body.operation} --dry-run`);
  const [root, ...below] = previewed.body.preview?.changes ?? [];
  expect(root).toMatchObject({ action: "delete", name: "/copy", before: { files: 1, folders: 120 } });
  expect(below).toHaveLength(100);
  expect(below.slice(0, 4)).toEqual([
    { action: "delete", type: "folder", id: expect.any(String), name: "/copy/00", version: 1 },
    { action: "delete", type: "folder", id: expect.any(String), name: "/copy/00/in", version: 1 },
    { action: "delete", type: "file", id: expect.any(String), name: "/copy/00/in/x.txt", version: 1 },
    { action: "delete", type: "folder", id: expect.any(String), name: "/copy/01", version: 1 },
  ]);

  const undone = await town.type(`undo ${body.operation} --confirm ${previewed.body.preview?.token}`);
  expect(undone.body.committed).toBe(true);
  const shown = await town.run(`operations show ${undone.body.operation}`);
  expect(shown).toMatchObject({
    summary: "delete folder /copy, delete folder /copy/00, delete folder /copy/00/in and 98 more",
    changes: previewed.body.preview?.changes,
  });
});
