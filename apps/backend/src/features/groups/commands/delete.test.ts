import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("its members lose the access it gave them, and undo restores it", async ({ town }) => {
  const root = town.tenant.token;
  const gus = await town.person("Gus");
  await town.backend.run(root, "groups create Design");
  await town.backend.run(root, "groups add Design Gus");
  await town.run("files mkdir /a");
  await town.as(root).run("access grant /a Design");
  const { body } = await town.backend.type(root, "groups delete Design");
  expect((await town.as(gus).type("files list /a")).body.code).toBe("not_found");
  expect(await town.run("access show /a")).toMatchObject({ items: [{ person: "Owner of Town" }] });
  await town.as(root).undo(body.operation);
  expect(await town.as(gus).run("files list /a")).toEqual({ items: [] });
});
