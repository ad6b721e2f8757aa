import { expect } from "vitest";
import { test } from "../../../../testing/records-test.ts";

test("values follow a renamed field, and its old name can be reused at once", async ({ town }) => {
  const { slug } = await town.addCollection("name:text", "revenue:number");
  const id = await town.addRecord(slug, "name=Acme", "revenue=5");
  await town.as("owner").run(`collections alter ${slug} --rename revenue=turnover --add revenue:text`);
  expect((await town.as("viewer").run(`records get ${id}`)).fields).toEqual({ name: "Acme", turnover: 5 });
});

test("undo restores a removed field with its values, even in records that changed since", async ({
  town,
}) => {
  const { slug } = await town.addCollection("name:text", "revenue:number");
  const id = await town.addRecord(slug, "name=Acme", "revenue=5");
  const altered = await town.as("owner").type(`collections alter ${slug} --remove revenue`);
  expect((await town.as("viewer").run(`records get ${id}`)).fields).toEqual({ name: "Acme" });
  await town.as("editor").run(`records update ${id} --set name=Akme`);
  expect((await town.as("owner").undo(altered.body.operation)).status).toBe(200);
  expect((await town.as("viewer").run(`records get ${id}`)).fields).toEqual({ name: "Akme", revenue: 5 });
});

test("another text field becomes the title of existing records, and undo reverts it", async ({ town }) => {
  const { slug } = await town.addCollection("name:text", "code:text");
  const id = await town.addRecord(slug, "name=Acme", "code=A1");
  const altered = await town.as("owner").type(`collections alter ${slug} --title code`);
  expect(await town.as("viewer").run(`records get ${id}`)).toMatchObject({ title: "A1" });
  await town.as("owner").undo(altered.body.operation);
  expect(await town.as("viewer").run(`records get ${id}`)).toMatchObject({ title: "Acme" });
});

test("the title field cannot be removed without a replacement", async ({ town }) => {
  const { slug } = await town.addCollection("name:text", "code:text");
  const { body } = await town.as("owner").type(`collections alter ${slug} --remove name`);
  expect(body.detail).toContain("--title");
  await town.as("owner").run(`collections alter ${slug} --remove name --title code`);
});

test("a choice in use cannot be removed, by a change or by an undo", async ({ town }) => {
  const { slug } = await town.addCollection("name:text", "status:choice:lead,lost");
  const id = await town.addRecord(slug, "name=Acme", "status=lead");
  const { body } = await town.as("owner").type(`collections alter ${slug} --choices status=lost,won`);
  expect(body.detail).toContain("1 records use a choice that would be removed");
  const more = await town.as("owner").type(`collections alter ${slug} --choices status=lead,lost,won`);
  await town.as("editor").run(`records update ${id} --set status=won`);
  expect((await town.as("owner").undo(more.body.operation)).body.code).toBe("conflict");
});

test("the slug follows the name, and a name that is taken is refused", async ({ town }) => {
  const { slug, id } = await town.addCollection("name:text");
  const other = await town.addCollection("name:text");
  expect(await town.as("owner").run(["collections", "alter", slug, "--name", "Key Accounts"])).toMatchObject({
    id,
    slug: "key-accounts",
  });
  const taken = await town.as("owner").type(["collections", "alter", other.slug, "--name", "Key accounts"]);
  expect(taken.body.code).toBe("conflict");
});

test("only an owner can; others learn nothing about a hidden collection", async ({ town }) => {
  const { slug, id } = await town.addCollection("name:text");
  expect((await town.as("editor").type(`collections alter ${slug} --add a:text`)).body.code).toBe(
    "not_permitted",
  );
  await town.restrict(id);
  expect((await town.as("editor").type(`collections alter ${id} --add a:text`)).status).toBe(404);
  expect((await town.as("foreigner").type(`collections alter ${id} --add a:text`)).status).toBe(404);
});

test("refuses to undo after somebody altered it again", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const first = await town.as("owner").type(`collections alter ${slug} --add a:text`);
  await town.as("owner").run(`collections alter ${slug} --add b:text`);
  expect((await town.as("owner").undo(first.body.operation)).body.code).toBe("conflict");
});

test("a preview token commits what the preview showed, and nothing that came later", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const { body } = await town.as("owner").type(`collections alter ${slug} --add a:number --dry-run`);
  expect(body.preview?.changes).toMatchObject([
    { before: { fields: ["name:text"] }, after: { fields: ["name:text", "a:number"] } },
  ]);
  await town.as("owner").run(`collections alter ${slug} --add b:text`);
  const late = await town
    .as("owner")
    .type(`collections alter ${slug} --add a:number --confirm ${body.preview?.token}`);
  expect(late.body.code).toBe("conflict");
});

test.for([
  ["--rename x=y", "no such field"],
  ["--rename name", "old"],
  ["--rename name=n", "already"],
  ["--remove nam", "did you mean `name`"],
  ["--choices n=a", "is a number"],
  ["--title n", "only a text field"],
  ["--add name:text", "already"],
])("refuses %s", async ([options, words], { town }) => {
  const { slug } = await town.addCollection("name:text", "n:number");
  const { status, body } = await town.as("owner").type(`collections alter ${slug} ${options}`);
  expect(status).toBe(400);
  expect(body.detail).toContain(words);
});

test("says so if nothing would change", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  expect((await town.as("owner").type(`collections alter ${slug}`)).body.code).toBe("usage");
});
