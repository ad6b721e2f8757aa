import { expect } from "vitest";
import { test } from "../../../../testing/records-test.ts";

const line = (name: string, ...fields: string[]) => [
  "collections",
  "create",
  name,
  ...fields.flatMap((field) => ["--field", field]),
];

test("keeps fields of every type in order, and the first text field is the title", async ({ town }) => {
  await town.as("owner").run(line("Companies", "name:text"));
  const made = await town
    .as("owner")
    .run(
      line(
        "Customers",
        "number:number",
        "name!:text",
        "since:date",
        "active:boolean",
        "status:choice:lead, active,lost",
        "account:link:companies",
        "owner:person",
      ),
    );
  expect(made).toMatchObject({ name: "Customers", slug: "customers", title: "name" });
  expect(made.fields).toMatchObject([
    { name: "number", type: "number", required: false },
    { name: "name", type: "text", required: true },
    { name: "since", type: "date" },
    { name: "active", type: "boolean" },
    { name: "status", type: "choice", choices: ["lead", "active", "lost"] },
    { name: "account", type: "link", target: { name: "Companies" } },
    { name: "owner", type: "person" },
  ]);
  expect(JSON.stringify(made)).not.toContain('"key"');
});

test("a preview shows exactly what the commit does", async ({ town }) => {
  const typed = line("Previewed", "name:text", "status:choice:a,b");
  const { body: shown } = await town.as("editor").type([...typed, "--dry-run"]);
  expect(shown.preview?.changes).toEqual([
    {
      action: "create",
      type: "collection",
      name: "Previewed",
      after: { slug: "previewed", fields: ["name:text", "status:choice:a,b"] },
    },
  ]);
  expect((await town.as("editor").type("collections describe previewed")).status).toBe(404);
  const { status } = await town.as("editor").type([...typed, "--confirm", shown.preview?.token ?? ""]);
  expect(status).toBe(200);
});

test("can be undone with your own records in it, but not after somebody else has added one", async ({
  town,
}) => {
  const empty = await town.as("editor").type(line("Empty", "name:text"));
  expect((await town.as("editor").undo(empty.body.operation)).status).toBe(200);
  expect((await town.as("owner").type("collections describe empty")).status).toBe(404);

  const filled = await town.as("editor").type(line("Filled", "name:text"));
  await town.as("editor").run("records create filled --set name=x");
  const undone = await town.as("editor").undo(filled.body.operation);
  expect((await town.as("owner").type("collections describe filled")).status).toBe(404);
  const redone = await town.as("editor").undo(undone.body.operation);
  await town.as("owner").run("records create filled --set name=y");
  expect((await town.as("editor").undo(redone.body.operation)).body).toMatchObject({ code: "conflict" });
  expect(await town.as("owner").run("records list filled")).toMatchObject({ items: [{}, {}] });
});

test("refuses viewers; a stranger and another tenant see no workspace", async ({ town }) => {
  const typed = line("Forbidden", "name:text");
  expect((await town.as("viewer").type(typed)).body).toMatchObject({ code: "not_permitted" });
  expect((await town.as("stranger").type(typed)).status).toBe(404);
  expect((await town.as("foreigner").type(typed)).status).toBe(200);
  expect((await town.as("owner").type("collections describe forbidden")).status).toBe(404);
});

test("refuses a slug that is taken", async ({ town }) => {
  await town.as("owner").run(line("Twice", "name:text"));
  expect((await town.as("owner").type(line("twice!", "name:text"))).body).toMatchObject({ code: "conflict" });
});

test.for([
  ["no text", ["n:number"], "needs a text field"],
  ["an unknown type", ["name:txt"], "did you mean text?"],
  ["no type", ["name"], "needs a type"],
  ["two of the same name", ["name:text", "Name:number"], "already"],
  ["a name with an operator", ["a>b:text"], "begin with a letter"],
  ["a name that every record has", ["body:text"], "already"],
  ["a choice without choices", ["name:text", "s:choice"], "none empty"],
  ["a choice twice", ["name:text", "s:choice:a,a"], "twice"],
  ["a link to nowhere", ["name:text", "l:link"], "needs a collection"],
  ["a link to a collection that does not exist", ["name:text", "l:link:nothing"], "no collection `nothing`"],
  ["options that mean nothing", ["name:text:x"], "takes no options"],
] as const)("refuses %s", async ([, fields, words], { town }) => {
  const { status, body } = await town.as("owner").type(line("Wrong", ...fields));
  expect(status).toBe(400);
  expect(body.code).toBe("invalid_arguments");
  expect(body.detail).toContain(words);
});

test("does not reveal a collection that the caller cannot see, even if a link names it", async ({ town }) => {
  const hidden = await town.addCollection("name:text");
  await town.restrict(hidden.id);
  const { body } = await town.as("editor").type(line("Linking", "name:text", `l:link:${hidden.id}`));
  expect(body).toMatchObject({ code: "invalid_arguments" });
  expect(body.detail).toContain("or you do not have access to it");
});
