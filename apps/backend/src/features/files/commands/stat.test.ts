import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("shows everything about a file, by path and by id", async ({ town }) => {
  const { body } = await town.put("/a.md", "# Title\n");
  const { id } = body.data as { id: string };
  const stat = await town.run("files stat /a.md");
  expect(stat).toMatchObject({
    id,
    path: "/a.md",
    role: "owner",
    contentVersion: 1,
    mediaType: "text/markdown",
    text: { outcome: "ok", characters: 8 },
  });
  expect(await town.backend.run(town.owner, ["files", "stat", id])).toEqual(stat);
});

test("shows only the name of a folder that the caller can open only to reach something below it", async ({
  town,
}) => {
  await town.run("files mkdir /board");
  await town.run("files mkdir /board/open");
  await town.run("access restrict /board");
  const guest = await town.person("Gus");
  await town.run(`access grant /board/open ${town.tenant.addressOf("Gus")}`);
  expect(await town.as(guest).run("files stat /board")).toMatchObject({ role: "passes through" });
  expect((await town.as(guest).type("access show /board")).body.code).toBe("not_permitted");
});

test("answers for another tenant's id exactly as for an id that does not exist", async ({
  town,
  backend,
}) => {
  const { body } = await town.put("/a.md", "mine");
  const { id } = body.data as { id: string };
  const other = await backend.addTenant();
  const foreign = await backend.type(other.token, ["files", "stat", id]);
  expect(foreign.body).toMatchObject({ code: "not_found", detail: expect.stringContaining(id) });
});
