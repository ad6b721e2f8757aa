import { expect } from "vitest";
import { test } from "../../../../testing/records-test.ts";

test("disappears from lists and exports, and undo restores it", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const id = await town.addRecord(slug, "name=x");
  const deleted = await town.as("editor").type(`records delete ${id}`);
  expect(await town.as("viewer").run(`records list ${slug}`)).toMatchObject({ items: [] });
  expect(await town.as("viewer").run(`records export ${slug}`)).toMatchObject({ count: 0 });
  expect((await town.as("viewer").type(`records get ${id}`)).status).toBe(404);
  expect(await town.as("viewer").run(`records list ${slug} --trashed`)).toMatchObject({ items: [{ id }] });
  expect((await town.as("editor").undo(deleted.body.operation)).status).toBe(200);
  expect(await town.as("viewer").run(`records list ${slug}`)).toMatchObject({ items: [{ id }] });
});

test("a preview deletes nothing", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const id = await town.addRecord(slug, "name=x");
  const { body } = await town.as("editor").type(`records delete ${id} --dry-run`);
  expect(body.preview?.changes).toEqual([{ action: "delete", type: "record", id, name: "x", version: 1 }]);
  expect((await town.as("viewer").type(`records get ${id}`)).status).toBe(200);
});

test("refuses viewers, and tells others that it does not exist", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const id = await town.addRecord(slug, "name=x");
  expect((await town.as("viewer").type(`records delete ${id}`)).body.code).toBe("not_permitted");
  for (const who of ["stranger", "foreigner"] as const) {
    expect((await town.as(who).type(`records delete ${id}`)).status).toBe(404);
  }
});
