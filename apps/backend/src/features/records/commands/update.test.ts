import { expect } from "vitest";
import { test } from "../../../../testing/records-test.ts";

test("changes the named fields, leaves the rest, and an empty value clears a field", async ({ town }) => {
  const { slug } = await town.addCollection("name:text", "n:number", "m:number");
  const id = await town.addRecord(slug, "name=x", "n=1", "m=2");
  const changed = await town.as("editor").type(`records update ${id} --set name=y --set n=`);
  expect(changed.body.data).toMatchObject({ title: "y", fields: { name: "y", m: 2 } });
  expect((await town.as("viewer").run(`records get ${id}`)).fields).toEqual({ name: "y", m: 2 });
  expect((await town.as("editor").undo(changed.body.operation)).status).toBe(200);
  expect(await town.as("viewer").run(`records get ${id}`)).toMatchObject({
    title: "x",
    fields: { name: "x", n: 1, m: 2 },
  });
});

test("undo restores the body and the time of the last change", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const made = await town.as("editor").run(`records create ${slug} --set name=x --body Before`);
  const changed = await town.as("editor").type(`records update ${made.id} --body After`);
  await town.as("editor").undo(changed.body.operation);
  expect(await town.as("viewer").run(`records get ${made.id}`)).toMatchObject({
    body: "Before",
    updatedAt: made.updatedAt,
  });
});

test("refuses to undo if somebody changed it again", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const id = await town.addRecord(slug, "name=x");
  const first = await town.as("editor").type(`records update ${id} --set name=y`);
  await town.as("owner").run(`records update ${id} --set name=z`);
  expect((await town.as("editor").undo(first.body.operation)).body.code).toBe("conflict");
  expect(await town.as("viewer").run(`records get ${id}`)).toMatchObject({ title: "z" });
});

test("a preview shows before and after; its token is invalid once the record has changed", async ({
  town,
}) => {
  const { slug } = await town.addCollection("name:text", "n:number");
  const id = await town.addRecord(slug, "name=x", "n=1");
  const { body } = await town.as("editor").type(`records update ${id} --set n=2 --dry-run`);
  expect(body.preview?.changes).toEqual([
    {
      action: "update",
      type: "record",
      id,
      name: "x",
      version: 1,
      before: { name: "x", n: 1 },
      after: { name: "x", n: 2 },
    },
  ]);
  await town.as("owner").run(`records update ${id} --set name=y`);
  const late = await town
    .as("editor")
    .type(`records update ${id} --set n=2 --confirm ${body.preview?.token}`);
  expect(late.body.code).toBe("conflict");
});

test("two concurrent updates never silently overwrite each other", async ({ town }) => {
  const { slug } = await town.addCollection("name:text", "n:number", "m:number");
  const id = await town.addRecord(slug, "name=x");
  const answers = await Promise.all([
    town.as("editor").type(`records update ${id} --set n=1`),
    town.as("owner").type(`records update ${id} --set m=1`),
  ]);
  const { fields } = await town.as("viewer").run(`records get ${id}`);
  const done = answers.filter(({ status }) => status === 200);
  expect(Object.keys(fields)).toHaveLength(1 + done.length);
  for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe("conflict");
});

test("refuses to clear a required value, and refuses wrong values", async ({ town }) => {
  const { slug } = await town.addCollection("name!:text", "n:number");
  const id = await town.addRecord(slug, "name=x");
  expect((await town.as("editor").type(`records update ${id} --set name=`)).body.detail).toContain(
    "is required",
  );
  expect((await town.as("editor").type(`records update ${id} --set n=x`)).body.code).toBe(
    "invalid_arguments",
  );
  expect((await town.as("editor").type(`records update ${id} --set name=x`)).body.code).toBe("usage");
});

test("refuses viewers, and tells others that it does not exist", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const id = await town.addRecord(slug, "name=x");
  expect((await town.as("viewer").type(`records update ${id} --set name=y`)).body.code).toBe("not_permitted");
  for (const who of ["stranger", "foreigner"] as const) {
    expect((await town.as(who).type(`records update ${id} --set name=y`)).status).toBe(404);
  }
});
