import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("stops inherited access for everything below, but not for owners of the workspace; undo allows it again", async ({
  town,
}) => {
  const viola = await town.person("Viola", "viewer");
  await town.run("files mkdir /board");
  await town.put("/board/minutes.md", "minutes");
  const { body } = await town.type("access restrict /board");
  expect(await town.as(viola).tree()).toEqual([]);
  expect(await town.cat("/board/minutes.md")).toBe("minutes");
  await town.undo(body.operation);
  expect(await town.as(viola).cat("/board/minutes.md")).toBe("minutes");
});

test("nobody can lock themselves out", async ({ town }) => {
  const gus = await town.person("Gus");
  await town.run("files mkdir /a");
  await town.run("files mkdir /a/b");
  await town.run(`access grant /a ${town.tenant.addressOf("Gus")} --role owner`);
  expect((await town.as(gus).type("access restrict /a/b")).body).toMatchObject({
    code: "conflict",
    detail: "You would lock yourself out of /a/b.",
  });
  await town.as(gus).run("access grant /a/b Gus --role owner");
  expect(await town.as(gus).run("access restrict /a/b")).toEqual({ subject: "/a/b" });
});

test("refuses a workspace, which does not inherit", async ({ town }) => {
  expect((await town.type("access restrict /")).body.code).toBe("usage");
});
