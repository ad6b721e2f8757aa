import { expect } from "vitest";
import { test } from "../../../../testing/records-test.ts";

test("restores it unchanged, and undo deletes it again", async ({ town }) => {
  const { slug } = await town.addCollection("name:text", "n:number");
  const id = await town.addRecord(slug, "name=x", "n=1");
  await town.as("editor").run(`records delete ${id}`);
  const restored = await town.as("editor").type(`records restore ${id}`);
  expect(restored.body.data).toMatchObject({ id, fields: { name: "x", n: 1 } });
  expect((await town.as("viewer").type(`records get ${id}`)).status).toBe(200);
  expect((await town.as("editor").undo(restored.body.operation)).status).toBe(200);
  expect((await town.as("viewer").type(`records get ${id}`)).status).toBe(404);
});

test("finds only records in the trash", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const id = await town.addRecord(slug, "name=x");
  expect((await town.as("editor").type(`records restore ${id}`)).status).toBe(404);
});

test("refuses viewers, and tells others that it does not exist", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const id = await town.addRecord(slug, "name=x");
  await town.as("editor").run(`records delete ${id}`);
  expect((await town.as("viewer").type(`records restore ${id}`)).body.code).toBe("not_permitted");
  for (const who of ["stranger", "foreigner"] as const) {
    expect((await town.as(who).type(`records restore ${id}`)).status).toBe(404);
  }
});
