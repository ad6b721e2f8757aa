import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("stops what the lists above give, for all below, but not for owners of the workspace; undo opens it", async ({
  town,
}) => {
  const viola = await town.person("Viola", "viewer");
  await town.run("files mkdir /board");
  await town.put("/board/minutes.md", "minutes");
  const { body } = await town.type(town.owner, "access restrict /board");
  expect(await town.tree(viola)).toEqual([]);
  expect(await town.cat("/board/minutes.md")).toBe("minutes");
  await town.undo(body.operation);
  expect(await town.cat("/board/minutes.md", viola)).toBe("minutes");
});

test("nobody shuts himself out", async ({ town }) => {
  const gus = await town.person("Gus");
  await town.run("files mkdir /a");
  await town.run("files mkdir /a/b");
  await town.run(`access grant /a ${town.tenant.addressOf("Gus")} --role owner`);
  expect((await town.type(gus, "access restrict /a/b")).body).toMatchObject({
    code: "conflict",
    detail: "You would shut yourself out of /a/b.",
  });
  await town.run("access grant /a/b Gus --role owner", gus);
  expect(await town.run("access restrict /a/b", gus)).toEqual({ subject: "/a/b" });
});

test("a workspace has nothing above it", async ({ town }) => {
  expect((await town.type(town.owner, "access restrict /")).body.code).toBe("usage");
});
