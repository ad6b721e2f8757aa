import { expect } from "vitest";
import { test } from "../../../../testing/records-test.ts";

test("hides its records too, and undo restores all of them", async ({ town }) => {
  const { slug, id } = await town.addCollection("name:text");
  const record = await town.addRecord(slug, "name=Acme");
  const deleted = await town.as("owner").type(`collections delete ${slug}`);
  expect(deleted.body.data).toMatchObject({ id, records: 1 });
  for (const line of [
    `collections describe ${id}`,
    `records list ${slug}`,
    `records get ${record}`,
    `records update ${record} --set name=x`,
  ]) {
    expect((await town.as("owner").type(line)).status).toBe(404);
  }
  expect((await town.as("owner").undo(deleted.body.operation)).status).toBe(200);
  expect(await town.as("viewer").run(`records get ${record}`)).toMatchObject({ title: "Acme" });
});

test("refuses editors, and answers as if a hidden collection did not exist", async ({ town }) => {
  const { slug, id } = await town.addCollection("name:text");
  expect((await town.as("editor").type(`collections delete ${slug}`)).body.code).toBe("not_permitted");
  for (const who of ["stranger", "foreigner"] as const) {
    expect((await town.as(who).type(`collections delete ${id}`)).status).toBe(404);
  }
});

test("refuses to undo if another collection took the name", async ({ town }) => {
  await town.as("owner").run("collections create Taken --field name:text");
  const deleted = await town.as("owner").type("collections delete taken");
  await town.as("owner").run("collections create Taken --field name:text");
  expect((await town.as("owner").undo(deleted.body.operation)).body.code).toBe("conflict");
});

test("a preview changes nothing", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const { body } = await town.as("owner").type(`collections delete ${slug} --dry-run`);
  expect(body.preview?.changes).toMatchObject([{ action: "delete", version: 1, before: { records: 0 } }]);
  expect((await town.as("owner").type(`collections describe ${slug}`)).status).toBe(200);
});
