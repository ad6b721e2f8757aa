import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("shows the role and every entry that grants it, strongest first", async ({ town }) => {
  const root = town.tenant.token;
  await town.person("Gus", "viewer");
  await town.backend.run(root, "groups create Design");
  await town.backend.run(root, "groups add Design Gus");
  await town.run("files mkdir /a");
  await town.put("/a/x.txt", "x");
  await town.as(root).run("access grant /a Design --role editor");
  expect(await town.run("access check /a/x.txt Gus")).toEqual({
    subject: "/a/x.txt",
    person: "Gus",
    role: "editor",
    reasons: [
      { role: "editor", through: "group Design", from: "/a" },
      { role: "viewer", through: "by name", from: "Town" },
    ],
  });
});

test("says that somebody has no access, and why a restriction does not apply to an owner", async ({
  town,
}) => {
  await town.person("Viola", "viewer");
  await town.run("files mkdir /board");
  await town.run("access restrict /board");
  expect(await town.run("access check /board Viola")).toEqual({
    subject: "/board",
    person: "Viola",
    reasons: [],
  });
  expect(await town.run("access check /board")).toMatchObject({
    role: "owner",
    reasons: [{ role: "owner", through: "by name", from: "Town" }],
  });
  const { text } = (
    await town.backend.type(town.owner, town.words("access check /board Viola"), {
      request: { want: "text" },
    })
  ).body;
  expect(text).toBe("Viola has no access to /board");
});

test("only an owner can check other people", async ({ town }) => {
  const viola = await town.person("Viola", "viewer");
  await town.person("Gus");
  await town.run("files mkdir /a");
  expect((await town.as(viola).type("access check /a Gus")).body.code).toBe("not_permitted");
  expect(await town.as(viola).run("access check /a")).toMatchObject({ role: "viewer" });
});
