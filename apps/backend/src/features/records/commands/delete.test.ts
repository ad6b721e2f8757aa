import { expect } from "vitest";
import { test } from "../../../../testing/records-test.ts";

test("disappears from lists and exports, and undo restores it", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const id = await town.addRecord(slug, "name=x");
  const deleted = await town.type("editor", `records delete ${id}`);
  expect(await town.run("viewer", `records list ${slug}`)).toMatchObject({ items: [] });
  expect(await town.run("viewer", `records export ${slug}`)).toMatchObject({ count: 0 });
  expect((await town.type("viewer", `records get ${id}`)).status).toBe(404);
  expect(await town.run("viewer", `records list ${slug} --trashed`)).toMatchObject({ items: [{ id }] });
  expect((await town.undo("editor", deleted)).status).toBe(200);
  expect(await town.run("viewer", `records list ${slug}`)).toMatchObject({ items: [{ id }] });
});

test("a preview deletes nothing", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const id = await town.addRecord(slug, "name=x");
  const { body } = await town.type("editor", `records delete ${id} --dry-run`);
  expect(body.preview?.changes).toEqual([{ action: "delete", type: "record", id, name: "x", version: 1 }]);
  expect((await town.type("viewer", `records get ${id}`)).status).toBe(200);
});

test("refuses viewers, and tells others that it does not exist", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const id = await town.addRecord(slug, "name=x");
  expect((await town.type("viewer", `records delete ${id}`)).body.code).toBe("not_permitted");
  for (const who of ["stranger", "foreigner"] as const) {
    expect((await town.type(who, `records delete ${id}`)).status).toBe(404);
  }
});
