import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("asks for confirmation, then deletes permanently with everything below, and cannot be undone", async ({
  town,
}) => {
  await town.run("files mkdir /a");
  await town.put("/a/x.txt", "x");
  await town.put("/a/x.txt", "y");
  await town.run("files delete /a");
  expect((await town.type("trash purge")).body.code).toBe("confirmation_required");
  const { body } = await town.type("trash purge --confirm true");
  expect(body.data).toEqual({ purged: 1, files: 1 });
  expect(body.operation).toBeUndefined();
  expect(await town.run("trash list")).toEqual({ items: [] });
});

test("does not destroy what is hidden from the caller in a folder", async ({ town }) => {
  const editor = await town.person("Ed", "editor");
  await town.run("files mkdir /a");
  await town.run("files mkdir /a/board");
  await town.run("access restrict /a/board");
  const { id } = await town.as(editor).run<{ id: string }>("files delete /a");
  const { body } = await town.as(editor).type(`trash purge ${id} --confirm true`);
  expect(body.code).toBe("not_permitted");
  await town.run(`trash purge ${id} --confirm true`);
});

test("an editor cannot purge an owner's file", async ({ town }) => {
  const editor = await town.person("Ed", "editor");
  await town.put("/plan.txt", "ours");
  const { id } = await town.as(editor).run<{ id: string }>("files delete /plan.txt");
  for (const line of [`trash purge ${id} --confirm true`, `trash purge ${id} --dry-run`]) {
    expect((await town.as(editor).type(line)).body.code).toBe("not_permitted");
  }
  expect((await town.as(editor).type("trash purge --confirm true")).body.data).toEqual({
    purged: 0,
    files: 0,
  });
  await town.run(`files restore ${id}`);
});

test("the owner of a folder purges what was in it", async ({ town }) => {
  const folderOwner = await town.person("Fay", "editor");
  await town.run("files mkdir /fay");
  await town.run("access grant /fay Fay --role owner");
  const { id } = await town.as(folderOwner).run<{ id: string }>("files mkdir /fay/old");
  await town.as(folderOwner).run("files delete /fay/old");
  expect((await town.as(folderOwner).type(`trash purge ${id} --confirm true`)).status).toBe(200);
});
