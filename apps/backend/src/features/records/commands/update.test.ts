import { expect } from "vitest";
import { test } from "../../../../testing/records-test.ts";

test("changes what is named, leaves the rest, and an empty value takes one away", async ({ town }) => {
  const { slug } = await town.addCollection("name:text", "n:number", "m:number");
  const id = await town.addRecord(slug, "name=x", "n=1", "m=2");
  const changed = await town.type("editor", `records update ${id} --set name=y --set n=`);
  expect(changed.body.data).toMatchObject({ title: "y", fields: { name: "y", m: 2 } });
  expect((await town.run("viewer", `records get ${id}`)).fields).toEqual({ name: "y", m: 2 });
  expect((await town.undo("editor", changed)).status).toBe(200);
  expect(await town.run("viewer", `records get ${id}`)).toMatchObject({
    title: "x",
    fields: { name: "x", n: 1, m: 2 },
  });
});

test("undo brings back the body, and when it was last changed", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const made = await town.run("editor", `records create ${slug} --set name=x --body Before`);
  const changed = await town.type("editor", `records update ${made.id} --body After`);
  await town.undo("editor", changed);
  expect(await town.run("viewer", `records get ${made.id}`)).toMatchObject({
    body: "Before",
    updatedAt: made.updatedAt,
  });
});

test("undo is refused where somebody changed it again", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const id = await town.addRecord(slug, "name=x");
  const first = await town.type("editor", `records update ${id} --set name=y`);
  await town.run("owner", `records update ${id} --set name=z`);
  expect((await town.undo("editor", first)).body.code).toBe("conflict");
  expect(await town.run("viewer", `records get ${id}`)).toMatchObject({ title: "z" });
});

test("a preview shows before and after; its token is void once the record changed", async ({ town }) => {
  const { slug } = await town.addCollection("name:text", "n:number");
  const id = await town.addRecord(slug, "name=x", "n=1");
  const { body } = await town.type("editor", `records update ${id} --set n=2 --dry-run`);
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
  await town.run("owner", `records update ${id} --set name=y`);
  const late = await town.type("editor", `records update ${id} --set n=2 --confirm ${body.preview?.token}`);
  expect(late.body.code).toBe("conflict");
});

test("of two who change it at the same moment, none overwrites the other unseen", async ({ town }) => {
  const { slug } = await town.addCollection("name:text", "n:number", "m:number");
  const id = await town.addRecord(slug, "name=x");
  const answers = await Promise.all([
    town.type("editor", `records update ${id} --set n=1`),
    town.type("owner", `records update ${id} --set m=1`),
  ]);
  const { fields } = await town.run("viewer", `records get ${id}`);
  const done = answers.filter(({ status }) => status === 200);
  expect(Object.keys(fields)).toHaveLength(1 + done.length);
  for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe("conflict");
});

test("a required value is not taken away, and wrong ones are refused", async ({ town }) => {
  const { slug } = await town.addCollection("name!:text", "n:number");
  const id = await town.addRecord(slug, "name=x");
  expect((await town.type("editor", `records update ${id} --set name=`)).body.detail).toContain(
    "is required",
  );
  expect((await town.type("editor", `records update ${id} --set n=x`)).body.code).toBe("invalid_arguments");
  expect((await town.type("editor", `records update ${id} --set name=x`)).body.code).toBe("usage");
});

test("a viewer may not; others are told that there is none", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const id = await town.addRecord(slug, "name=x");
  expect((await town.type("viewer", `records update ${id} --set name=y`)).body.code).toBe("not_permitted");
  for (const who of ["stranger", "foreigner"] as const) {
    expect((await town.type(who, `records update ${id} --set name=y`)).status).toBe(404);
  }
});
