import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("lists every version, newest first, with its author; each can be downloaded", async ({ town }) => {
  for (const content of ["one", "two", "three"]) await town.put("/a.txt", content);
  const first = await town.run<{ items: object[]; nextCursor: string }>("files versions /a.txt -n 2");
  expect(first.items).toMatchObject([{ version: 3, size: 5 }, { version: 2 }]);
  expect(await town.run(`files versions /a.txt --cursor ${first.nextCursor}`)).toMatchObject({
    items: [{ version: 1, createdBy: expect.stringContaining("Owner") }],
  });
});
