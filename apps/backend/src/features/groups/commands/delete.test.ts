import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("its members lose the access it gave them, and undo restores it", async ({ town }) => {
  const root = town.tenant.token;
  const gus = await town.person("Gus");
  await town.backend.run(root, "groups create Design");
  await town.backend.run(root, "groups add Design Gus");
  await town.run("files mkdir /a");
  await town.run("access grant /a Design", root);
  const { body } = await town.backend.type(root, "groups delete Design");
  expect((await town.type(gus, "files list /a")).body.code).toBe("not_found");
  expect(await town.run("access show /a")).toMatchObject({ items: [{ person: "Owner of Town" }] });
  await town.undo(body.operation, root);
  expect(await town.run("files list /a", gus)).toEqual({ items: [] });
});
